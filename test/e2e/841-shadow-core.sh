#!/bin/sh
# Other scripts once more, with every module in shadow mode: what they look at is where that mode has
# code of its own. `./run test --long` runs all that can be (test/long/run-shadow).
. "$(dirname "$0")/lib.sh"

# again SCRIPT LLVMS
again() {
  CONTPROF_MODES=shadow CONTPROF_LLVMS=$2 sh "$E2E/$1.sh" >log 2>&1 || cat log
  grep -q '^ok - ' log || die "nothing was tested"
  expect_no_text log '^not ok'
}

for script in 140-dlopen 311-rotate 755-plugins; do
  check "in shadow mode: $script" again $script $NEWEST
done
for llvm in 14 16; do
  case " $LLVMS " in *" $llvm "*) check "in shadow mode, clang $llvm" again 120-fork "$llvm" ;; esac
done
