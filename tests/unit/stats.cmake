# SPDX-License-Identifier: Apache-2.0
# Unit tests of the elementary functions and of the module stats. Bodies are compiled here with the core's flags.
set(suites "${PROJECT_SOURCE_DIR}/tests/suites")
cupel_add_unit_test(stats-sampling stats_sampling.c "${suites}/reference_distribution.c" LIBS nc_cpu m)
target_include_directories(unit-stats-sampling PRIVATE "${suites}")
cupel_add_unit_test(stats-arguments stats_arguments.c LIBS nc_cpu)

if(NOT TARGET PkgConfig::CUPEL_MPFR) # golden/CMakeLists.txt looks for it
  message(STATUS "unit.elementary: not registered, MPFR was not found")
  return()
endif()

add_library(unit-elementary-bodies OBJECT elementary.c)
target_include_directories(unit-elementary-bodies PRIVATE "${PROJECT_SOURCE_DIR}/src/core" "${PROJECT_SOURCE_DIR}/golden/oracle")
target_link_libraries(unit-elementary-bodies PUBLIC PkgConfig::CUPEL_MPFR cupel_core_flags)

cupel_add_unit_test(elementary test_elementary.c LIBS unit-elementary-bodies m)
# The derivation of error bounds is a program of the tests alone, and minutes long with sanitizers.
if(NOT CUPEL_SANITIZE)
  cupel_add_unit_test(elementary-analysis test_elementary_analysis.c LIBS unit-elementary-bodies cupel_core_flags m)
  target_include_directories(unit-elementary-analysis PRIVATE "${PROJECT_SOURCE_DIR}/src/core" "${PROJECT_SOURCE_DIR}/golden/oracle")
endif()
# Compiled for this machine: fma in software is 100 times slower. The test takes every 251st float32 argument, 17 million of them;
# all of them take minutes for each function.
include(CheckCCompilerFlag)
check_c_compiler_flag(-march=native CUPEL_MARCH_NATIVE)
add_executable(elementary-exhaustive elementary.c elementary_exhaustive.c)
target_include_directories(elementary-exhaustive PRIVATE "${PROJECT_SOURCE_DIR}/src/core" "${PROJECT_SOURCE_DIR}/golden/oracle")
target_compile_options(elementary-exhaustive PRIVATE $<$<BOOL:${CUPEL_MARCH_NATIVE}>:-march=native>)
target_link_libraries(elementary-exhaustive PRIVATE PkgConfig::CUPEL_MPFR cupel_core_flags m)
if(CUPEL_MARCH_NATIVE AND NOT CUPEL_SANITIZE)
  add_test(NAME unit.elementary-many COMMAND elementary-exhaustive 251)
  set_tests_properties(unit.elementary-many PROPERTIES LABELS unit TIMEOUT 900 ENVIRONMENT "LC_ALL=C")
  # Only where asked for: ctest -C exhaustive -L exhaustive.
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/elementary.def" functions REGEX "^ELEMENTARY\\(")
  foreach(function IN LISTS functions)
    string(REGEX REPLACE "^ELEMENTARY\\(([a-z0-9_]+),.*" "\\1" name "${function}")
    add_test(NAME exhaustive.elementary-${name} COMMAND elementary-exhaustive 1 ${name} CONFIGURATIONS exhaustive)
    set_tests_properties(exhaustive.elementary-${name} PROPERTIES LABELS exhaustive TIMEOUT 3600 ENVIRONMENT "LC_ALL=C")
  endforeach()
endif()

# Committed tables are what their generator writes.
foreach(dtype IN ITEMS f32 f64)
  add_test(NAME unit.elementary-tables-${dtype}
           COMMAND "${CMAKE_CURRENT_LIST_DIR}/core_same_output.sh" "${PROJECT_SOURCE_DIR}/src/core/kernels/elementary_tables_${dtype}.h"
                   "$<TARGET_FILE:elementary-tables>" ${dtype})
  set_tests_properties(unit.elementary-tables-${dtype} PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT "LC_ALL=C")
endforeach()
