// One decision of three conditions; which hold, the number of arguments says. For MC/DC bitmaps
// that differ from run to run.
static int decide(int a, int b, int c) {
  return (a && b) || c;
}
int main(int argc, char **argv) {
  (void)argv;
  return decide(argc & 1, argc & 2, argc & 4) > 1;
}
