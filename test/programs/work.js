// Work for a JavaScript interpreter: many of its built-in functions, which it calls through pointers, and
// strings of many lengths, which it copies. The same each time.
function text(n) {
	var made = "";
	for (var i = 0; i < n; ++i)
		made += String.fromCharCode(97 + (i * 7 + n) % 26);
	return made;
}

function words(n) {
	var list = [];
	for (var i = 1; i <= n; ++i)
		list.push(text(i % 97));
	return list;
}

function Shape(size) { this.size = size; }
Shape.prototype.area = function () { return this.size * this.size; };
function Circle(size) { Shape.call(this, size); }
Circle.prototype = new Shape(0);
Circle.prototype.area = function () { return Math.floor(Math.PI * this.size * this.size); };

var list = words(400), sum = 0;
list.sort();
list.sort(function (a, b) { return a.length - b.length || (a < b ? -1 : 1); });
list.reverse();
for (var i = 0; i < list.length; ++i) {
	var shape = i % 3 ? new Circle(i) : new Shape(i);
	sum += shape.area() + list[i].indexOf("e") + list[i].charCodeAt(i % 11 | 0) | 0;
	sum += list[i].toUpperCase().substring(3, 9).length + list[i].split("m").length;
	sum = Math.max(Math.abs(sum), i * i % 1009) % 65536;
}
var joined = list.slice(10, 60).concat(["end"]).join("-");
var replaced = joined.replace(/([a-f])([g-m])/g, "$2$1").match(/[n-z]+/g);
var mapped = replaced.map(function (word) { return word.length; });
var encoded = JSON.stringify({ list: mapped, nested: { deep: [1, 2.5, null, true, "x"] } });
print(sum, joined.length, replaced.length, encoded.length);
for (i = 0; i < 3; ++i)
	try { null.f(); } catch (error) { print(error.name); }
