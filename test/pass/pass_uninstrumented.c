// Code without counters, which the pass has to leave alone.
int pass_uninstrumented(int value);

int pass_uninstrumented(int value) {
  return value > 3 ? value * 2 : value;
}
