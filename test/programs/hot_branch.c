// A function whose branches and calls a sample profile can tell hot from cold: see 471.
static int volatile input; // so that nothing is known of it

__attribute__((noinline)) static int rare(int number) {
  return number * 3 + input;
}

static int often(int number) {
  int sum = 0;
  for (int i = 0; i < number; i++)
    sum += i ^ input;
  return sum;
}

int chosen(int number) {
  if (number > 1000)
    return rare(number);
  if (number > 10)
    return often(number) + 1;
  return rare(number + 1);
}

int main(int count, char **words) {
  (void)words;
  return chosen(count) > 0;
}
