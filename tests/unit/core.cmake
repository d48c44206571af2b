# SPDX-License-Identifier: Apache-2.0
# Unit tests of the numerical core and its CPU backend.

# A test that needs the backend's insides links its objects; any other links the library a user links.
function(cupel_add_core_test name source)
  cupel_add_unit_test(core-${name} ${source} LIBS nc_cpu)
endfunction()

foreach(kind IN ITEMS static shared)
  set(library nc_cpu)
  if(kind STREQUAL "shared")
    set(library nc_cpu_shared)
  endif()
  add_test(NAME unit.core-exports-${kind}
           COMMAND "${CMAKE_CURRENT_LIST_DIR}/core_exports.sh" "${CMAKE_NM}" "${PROJECT_SOURCE_DIR}/src/core/nc.exports" ${kind}
                   "$<TARGET_FILE:${library}>")
  set_tests_properties(unit.core-exports-${kind} PROPERTIES LABELS unit TIMEOUT 60)
endforeach()

cupel_add_core_test(rng core_rng.c)
cupel_add_unit_test(core-gram core_gram.c LIBS nc_cpu_objects m)
target_compile_options(unit-core-gram PRIVATE -ffp-contract=off)
pkg_check_modules(CUPEL_MPFR REQUIRED IMPORTED_TARGET mpfr)
cupel_add_unit_test(core-probe core_probe.c LIBS nc_cpu PkgConfig::CUPEL_MPFR)
