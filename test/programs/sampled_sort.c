// Sorts by functions that are given by pointer; for profiles by samples. Its hot parts are inlined
// and unrolled, and some of its code never runs.
#include <stdio.h>
#include <stdlib.h>

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

int split_last(int *array, int low, int high) {
  int pivot = array[high];
  int i = low - 1;
  for (int j = low; j < high; j++)
    if (array[j] < pivot)
      swap(&array[++i], &array[j]);
  swap(&array[i + 1], &array[high]);
  return i + 1;
}

int split_first(int *array, int low, int high) {
  int pivot = array[low];
  int i = low + 1;
  for (int j = low + 1; j <= high; j++)
    if (array[j] < pivot) {
      if (j != i)
        swap(&array[i], &array[j]);
      i++;
    }
  swap(&array[i - 1], &array[low]);
  return i - 1;
}

void sort(int *array, int low, int high, int (*split)(int *, int, int)) {
  if (low >= high)
    return;
  int middle = split(array, low, high);
  sort(array, low, middle - 1, split);
  sort(array, middle + 1, high, split);
}

__attribute__((noinline)) long checksum(const int *array, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += array[i] & 1 ? array[i] : array[i] / 2;
  return sum;
}

int main(int argc, char **argv) {
  enum { COUNT = 200 };
  static int array[COUNT];
  int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  long sum = 0;
  for (int i = 0; i < rounds; i++) {
    for (int j = 0; j < COUNT; j++)
      array[j] = j % 10 ? rand() % COUNT : j;
    sort(array, 0, COUNT - 1, i % 3 ? split_last : split_first);
    sum += checksum(array, COUNT);
  }
  printf("%ld\n", sum);
  return 0;
}
