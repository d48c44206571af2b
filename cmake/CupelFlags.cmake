# SPDX-License-Identifier: Apache-2.0
# Two interface targets carry every compiler flag.
#   cupel_flags       warnings and sanitizers; POSIX for host code
#   cupel_core_flags  arithmetic of the core: contraction off after user flags, IEEE, hidden symbols
include_guard(GLOBAL)

add_library(cupel_flags INTERFACE)
target_compile_options(cupel_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wsign-conversion;-Wvla;-Wstrict-prototypes;-Wmissing-prototypes;-Wformat=2;-Wundef>
  # clang takes NAN and INFINITY of math.h, which are float, for promotions that somebody wrote
  $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wdouble-promotion>)
if(CUPEL_WERROR)
  target_compile_options(cupel_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
target_compile_definitions(cupel_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(CUPEL_SANITIZE)
  target_compile_options(cupel_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fsanitize=${CUPEL_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
  target_link_options(cupel_flags INTERFACE -fsanitize=${CUPEL_SANITIZE})
endif()

add_library(cupel_core_flags INTERFACE)
target_link_libraries(cupel_core_flags INTERFACE cupel_flags)
target_compile_options(cupel_core_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-ffp-contract=off;-fno-fast-math;-fno-math-errno;-fvisibility=hidden>
  # clang tells when it does not follow a vectorisation pragma; that changes no byte
  $<$<COMPILE_LANG_AND_ID:C,Clang,AppleClang>:-Wno-pass-failed>
  # gcc 12 forms fmaddsub from a*b+c beside a*b-d in spite of -ffp-contract=off (tests/lint/core_fused.sh looks for it)
  $<$<COMPILE_LANG_AND_ID:C,GNU>:-fno-tree-slp-vectorize>)
