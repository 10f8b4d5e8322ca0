// A use of a counter's address that no pass can redirect: the compilation has to fail.
extern unsigned long __profc_somewhere[];
void keep(unsigned long *address);

void escaping_function(void) {
  keep(__profc_somewhere);
}
