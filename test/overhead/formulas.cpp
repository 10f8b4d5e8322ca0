// Work for `./run bench overhead`: formulas made at random are parsed, simplified and evaluated in
// three kinds of numbers. What costs here is what C++ is used for: templates instantiated for each
// kind of number, virtual calls on small objects, and exceptions that unwind through frames with
// destructors. Deterministic; prints a digest of all results.
//
//     formulas ROUNDS
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

// Knuth's MMIX constants; the low bits are weak, so the high ones are used.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}
  unsigned below(unsigned bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state_ >> 33) % bound);
  }

private:
  uint64_t state_;
};

// --- what can go wrong ---------------------------------------------------------------------------

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Syntax : Problem {
  Syntax(const std::string &what, size_t at) : Problem(what), position(at) {}
  size_t position;
};

struct Arithmetic : Problem {
  using Problem::Problem;
};

// --- kinds of numbers ----------------------------------------------------------------------------

// An integer that says so instead of wrapping.
class Checked {
public:
  Checked(int64_t value = 0) : value_(value) {}
  int64_t digest() const {
    return value_;
  }
  friend Checked operator+(Checked a, Checked b) {
    return apply<Add>(a, b);
  }
  friend Checked operator*(Checked a, Checked b) {
    return apply<Multiply>(a, b);
  }
  friend Checked operator-(Checked a, Checked b) {
    return apply<Subtract>(a, b);
  }
  friend Checked operator/(Checked a, Checked b) {
    if (b.value_ == 0 || (a.value_ == INT64_MIN && b.value_ == -1))
      throw Arithmetic("division");
    return a.value_ / b.value_;
  }
  friend bool operator<(Checked a, Checked b) {
    return a.value_ < b.value_;
  }

private:
  struct Add {
    bool operator()(int64_t a, int64_t b, int64_t *c) {
      return __builtin_add_overflow(a, b, c);
    }
  };
  struct Subtract {
    bool operator()(int64_t a, int64_t b, int64_t *c) {
      return __builtin_sub_overflow(a, b, c);
    }
  };
  struct Multiply {
    bool operator()(int64_t a, int64_t b, int64_t *c) {
      return __builtin_mul_overflow(a, b, c);
    }
  };
  template <class Operation> static Checked apply(Checked a, Checked b) {
    int64_t result;
    if (Operation()(a.value_, b.value_, &result))
      throw Arithmetic("overflow");
    return result;
  }
  int64_t value_;
};

// Integers modulo a prime; a quotient is by the inverse, from Euclid's algorithm.
template <int64_t Prime> class Modular {
public:
  Modular(int64_t value = 0) : value_((value % Prime + Prime) % Prime) {}
  int64_t digest() const {
    return value_;
  }
  friend Modular operator+(Modular a, Modular b) {
    return a.value_ + b.value_;
  }
  friend Modular operator-(Modular a, Modular b) {
    return a.value_ - b.value_;
  }
  friend Modular operator*(Modular a, Modular b) {
    return a.value_ * b.value_;
  }
  friend Modular operator/(Modular a, Modular b) {
    return a * b.inverse();
  }
  friend bool operator<(Modular a, Modular b) {
    return a.value_ < b.value_;
  }

private:
  Modular inverse() const {
    if (value_ == 0)
      throw Arithmetic("no inverse");
    int64_t a = value_, b = Prime, x = 1, y = 0;
    while (a != 1) {
      int64_t quotient = b / a;
      std::swap(a, b -= quotient * a);
      std::swap(x, y -= quotient * x);
    }
    return x;
  }
  int64_t value_;
};

// Fractions in lowest terms, of the integers above.
class Fraction {
public:
  Fraction(int64_t value = 0) : top_(value), bottom_(1) {}
  Fraction(Checked top, Checked bottom) {
    int64_t divisor = std::gcd(top.digest(), bottom.digest());
    if (bottom.digest() == 0)
      throw Arithmetic("zero below");
    if (bottom.digest() < 0)
      divisor = -divisor;
    top_ = top.digest() / divisor;
    bottom_ = bottom.digest() / divisor;
  }
  int64_t digest() const {
    return top_ * 31 + bottom_;
  }
  friend Fraction operator+(const Fraction &a, const Fraction &b) {
    return {a.up() * b.down() + b.up() * a.down(), a.down() * b.down()};
  }
  friend Fraction operator-(const Fraction &a, const Fraction &b) {
    return {a.up() * b.down() - b.up() * a.down(), a.down() * b.down()};
  }
  friend Fraction operator*(const Fraction &a, const Fraction &b) {
    return {a.up() * b.up(), a.down() * b.down()};
  }
  friend Fraction operator/(const Fraction &a, const Fraction &b) {
    return {a.up() * b.down(), a.down() * b.up()};
  }
  friend bool operator<(const Fraction &a, const Fraction &b) {
    return a.up() * b.down() < b.up() * a.down();
  }

private:
  Checked up() const {
    return top_;
  }
  Checked down() const {
    return bottom_;
  }
  int64_t top_ = 0, bottom_ = 1;
};

// --- formulas ------------------------------------------------------------------------------------

// A map of few keys in one array, in the order of the keys.
template <class Key, class Value> class FlatMap {
public:
  void set(const Key &key, Value value) {
    auto at = place(key);
    if (at != entries_.end() && at->first == key)
      at->second = value;
    else
      entries_.emplace(at, key, value);
  }
  const Value &at(const Key &key) const {
    auto at = const_cast<FlatMap *>(this)->place(key);
    if (at == entries_.end() || at->first != key)
      throw std::out_of_range("FlatMap");
    return at->second;
  }

private:
  auto place(const Key &key) {
    auto before = [](const auto &entry, const Key &wanted) { return entry.first < wanted; };
    return std::lower_bound(entries_.begin(), entries_.end(), key, before);
  }
  std::vector<std::pair<Key, Value>> entries_;
};

template <class Number> class Visitor;
template <class Number> using Values = FlatMap<char, Number>; // by the first letter of the name

template <class Number> class Node {
public:
  virtual ~Node() = default;
  virtual Number value(const Values<Number> &values) const = 0;
  virtual void accept(Visitor<Number> &visitor) const = 0;
};

template <class Number> using Formula = std::unique_ptr<Node<Number>>;

template <class Number> class Literal final : public Node<Number> {
public:
  explicit Literal(Number number) : number_(number) {}
  Number value(const Values<Number> &) const override {
    return number_;
  }
  void accept(Visitor<Number> &visitor) const override {
    visitor.literal(number_);
  }

private:
  Number number_;
};

template <class Number> class Variable final : public Node<Number> {
public:
  explicit Variable(std::string name) : name_(std::move(name)) {}
  Number value(const Values<Number> &values) const override {
    try {
      return values.at(name_[0]);
    } catch (const std::out_of_range &) {
      throw Problem("no value for " + name_);
    }
  }
  void accept(Visitor<Number> &visitor) const override {
    visitor.variable(name_);
  }

private:
  std::string name_;
};

template <class Number, class Operation> class Binary final : public Node<Number> {
public:
  Binary(Formula<Number> left, Formula<Number> right)
      : left_(std::move(left)), right_(std::move(right)) {}
  Number value(const Values<Number> &values) const override {
    Number left = left_->value(values);
    return Operation()(left, right_->value(values));
  }
  void accept(Visitor<Number> &visitor) const override {
    left_->accept(visitor);
    right_->accept(visitor);
    visitor.operation(Operation::symbol);
  }

private:
  Formula<Number> left_, right_;
};

template <class Number> struct Sum : std::plus<Number> { static constexpr char symbol = '+'; };
template <class Number> struct Difference : std::minus<Number> {
  static constexpr char symbol = '-';
};
template <class Number> struct Product : std::multiplies<Number> {
  static constexpr char symbol = '*';
};
template <class Number> struct Quotient : std::divides<Number> {
  static constexpr char symbol = '/';
};
template <class Number> struct Larger {
  static constexpr char symbol = '|';
  Number operator()(const Number &a, const Number &b) const {
    return a < b ? b : a;
  }
};

template <class Number> class Visitor {
public:
  virtual ~Visitor() = default;
  virtual void literal(const Number &number) = 0;
  virtual void variable(const std::string &name) = 0;
  virtual void operation(char symbol) = 0;
};

// Evaluates by a stack, the second opinion on value().
template <class Number> class Stack final : public Visitor<Number> {
public:
  explicit Stack(const Values<Number> &values) : values_(values) {}
  void literal(const Number &number) override {
    stack_.push_back(number);
  }
  void variable(const std::string &name) override {
    stack_.push_back(values_.at(name[0]));
  }
  void operation(char symbol) override {
    Number right = stack_.back();
    stack_.pop_back();
    Number &left = stack_.back();
    switch (symbol) {
    case '+':
      left = left + right;
      break;
    case '-':
      left = left - right;
      break;
    case '*':
      left = left * right;
      break;
    case '/':
      left = left / right;
      break;
    default:
      left = left < right ? right : left;
    }
  }
  Number result() const {
    return stack_.back();
  }

private:
  const Values<Number> &values_;
  std::vector<Number> stack_;
};

// --- the parser ----------------------------------------------------------------------------------

template <class Number> class Parser {
public:
  explicit Parser(const std::string &text) : text_(text) {}
  Formula<Number> parse() {
    Formula<Number> formula = sum();
    if (at_ != text_.size())
      throw Syntax("something behind the end", at_);
    return formula;
  }

private:
  // Unwinding passes these by.
  struct Level {
    explicit Level(unsigned &depth) : depth_(depth) {
      if (++depth_ > 60)
        throw Syntax("too deep", 0);
    }
    ~Level() {
      depth_--;
    }
    unsigned &depth_;
  };

  bool take(char wanted) {
    if (at_ == text_.size() || text_[at_] != wanted)
      return false;
    at_++;
    return true;
  }

  template <template <class> class Operation>
  static Formula<Number> join(Formula<Number> left, Formula<Number> right) {
    return std::make_unique<Binary<Number, Operation<Number>>>(std::move(left), std::move(right));
  }

  Formula<Number> sum() {
    Formula<Number> left = product();
    for (;;) {
      if (take('+'))
        left = join<Sum>(std::move(left), product());
      else if (take('-'))
        left = join<Difference>(std::move(left), product());
      else
        return left;
    }
  }

  Formula<Number> product() {
    Formula<Number> left = atom();
    for (;;) {
      if (take('*'))
        left = join<Product>(std::move(left), atom());
      else if (take('/'))
        left = join<Quotient>(std::move(left), atom());
      else if (take('|'))
        left = join<Larger>(std::move(left), atom());
      else
        return left;
    }
  }

  Formula<Number> atom() {
    Level level(depth_);
    if (take('(')) {
      Formula<Number> inner = sum();
      if (!take(')'))
        throw Syntax("no ')'", at_);
      return inner;
    }
    std::string word;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])))
      word += text_[at_++];
    if (word.empty())
      throw Syntax("nothing where a value should be", at_);
    if (std::isdigit(static_cast<unsigned char>(word[0])))
      return std::make_unique<Literal<Number>>(Number(std::atoll(word.c_str())));
    return std::make_unique<Variable<Number>>(word);
  }

  const std::string &text_;
  size_t at_ = 0;
  unsigned depth_ = 0;
};

// --- the work ------------------------------------------------------------------------------------

const char *const NAMES[] = {"a", "rate", "x1", "weight", "count"};

std::string random_text(Random &random, unsigned depth) {
  if (depth == 0 || random.below(5) == 0) {
    if (random.below(40) == 0)
      return random.below(2) ? "" : "nowhere"; // an error when parsed, or when evaluated
    return random.below(2) ? NAMES[random.below(5)] : std::to_string(random.below(12));
  }
  std::string left = random_text(random, depth - 1);
  left += "+-*+|+-*/+-*|+-+"[random.below(16)];
  left += random_text(random, depth - 1);
  return random.below(2) ? "(" + left + ")" : left;
}

class Digest {
public:
  void add(int64_t value) {
    hash_ = (hash_ ^ static_cast<uint64_t>(value)) * 1099511628211u;
  }
  void add(const std::string &text) {
    for (char each : text)
      add(each);
  }
  uint64_t hash() const {
    return hash_;
  }

private:
  uint64_t hash_ = 14695981039346656037u;
};

struct Tally {
  Digest digest;
  std::map<std::string, unsigned> problems;
  unsigned values = 0;
};

// One formula with many values for its variables; the middle result is what is kept.
template <class Number> void evaluate(const std::string &text, Random random, Tally &tally) {
  Formula<Number> formula = Parser<Number>(text).parse();
  std::vector<Number> results;
  for (int i = 0; i < 24; i++) {
    Values<Number> values;
    for (const char *name : NAMES)
      values.set(name[0], Number(random.below(40) - 15));
    try {
      Number result = formula->value(values);
      Stack<Number> stack(values);
      formula->accept(stack);
      if (stack.result() < result || result < stack.result())
        throw std::logic_error("two ways, two results: " + text);
      results.push_back(result);
    } catch (const Arithmetic &problem) {
      tally.problems[problem.what()]++;
    }
  }
  std::sort(results.begin(), results.end(), std::less<Number>());
  tally.values += results.size();
  if (!results.empty())
    tally.digest.add(results[results.size() / 2].digest());
}

template <class... Numbers> void evaluate_in_all(unsigned rounds, Tally &tally) {
  Random random(2024);
  for (unsigned round = 0; round < rounds; round++) {
    std::string text = random_text(random, 4);
    tally.digest.add(text);
    auto one = [&](auto evaluate_one) {
      try {
        evaluate_one(text, Random(round), tally);
      } catch (const Syntax &problem) {
        tally.problems[problem.what()]++;
        tally.digest.add(static_cast<int64_t>(problem.position));
      } catch (const Problem &problem) {
        tally.problems[problem.what()]++;
      }
    };
    (one(evaluate<Numbers>), ...);
  }
}

} // namespace

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100;
  Tally tally;
  evaluate_in_all<Checked, Modular<999983>, Fraction>(rounds, tally);
  std::printf("%u values, digest %016llx\n", tally.values,
              static_cast<unsigned long long>(tally.digest.hash()));
  for (const auto &[problem, times] : tally.problems)
    std::printf("%u times %s\n", times, problem.c_str());
}
