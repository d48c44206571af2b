# SPDX-License-Identifier: Apache-2.0
# Unit tests of the numerical core and its CPU backend.

# cupel_add_core_test(name source...) links the library a user links; cupel_add_core_inside_test(name source...) links the
# backend's objects and sees its internal headers. Core flags: the expected values are computed without contraction.
function(cupel_add_core_test name)
  cupel_add_unit_test(core-${name} ${ARGN} LIBS nc_cpu)
endfunction()
function(cupel_add_core_inside_test name)
  cupel_add_unit_test(core-${name} ${ARGN} LIBS nc_cpu_objects)
  target_include_directories(unit-core-${name} PRIVATE "${PROJECT_SOURCE_DIR}/backends/cpu")
  target_compile_options(unit-core-${name} PRIVATE -ffp-contract=off)
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

cupel_add_core_inside_test(rng core_rng.c)
cupel_add_core_test(array core_array.c)
cupel_add_core_test(arguments core_arguments.c)
cupel_add_core_test(dense-arguments core_dense_arguments.c)
cupel_add_core_test(network-arguments network_arguments.c)
cupel_add_core_test(model-arguments model_arguments.c)
cupel_add_core_test(solver-arguments solver_arguments.c)
cupel_add_core_test(huber-arguments huber_arguments.c)
cupel_add_core_test(wrong-arrays core_wrong_arrays.c)
cupel_add_core_inside_test(overlap core_overlap.c)
cupel_add_core_test(environment core_environment.c)
target_link_libraries(unit-core-environment PRIVATE m)
cupel_add_core_inside_test(gram core_gram.c)
cupel_add_core_inside_test(huber-floor core_huber_floor.c)
cupel_add_core_inside_test(sums core_sums.c)
cupel_add_core_inside_test(gemm core_gemm.c)
cupel_add_core_inside_test(candidates core_candidates.c)
if(TARGET PkgConfig::CUPEL_MPFR) # golden/CMakeLists.txt looks for it
  cupel_add_unit_test(core-probe core_probe.c LIBS nc_cpu PkgConfig::CUPEL_MPFR)
endif()
cupel_add_core_test(solve core_solve.c)

# Committed tables are what their generators write, and the quantile is as good as docs/rng.md says.
if(TARGET normal-table)
  add_test(NAME unit.core-normal-table
           COMMAND "${CMAKE_CURRENT_LIST_DIR}/core_same_output.sh" "${PROJECT_SOURCE_DIR}/src/core/host/normal_table.c"
                   "$<TARGET_FILE:normal-table>")
  add_test(NAME unit.core-normal-error COMMAND normal-error 10000 1 0.61)
  set_tests_properties(unit.core-normal-table unit.core-normal-error PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT "LC_ALL=C")
endif()

# cuRAND's host generator runs without a GPU.
find_path(CUPEL_CURAND_INCLUDE curand.h HINTS /usr/local/cuda/include)
find_library(CUPEL_CURAND_LIBRARY curand HINTS /usr/local/cuda/lib64)
if(CUPEL_CURAND_INCLUDE AND CUPEL_CURAND_LIBRARY)
  cupel_add_core_test(rng-curand core_rng_curand.c)
  target_include_directories(unit-core-rng-curand SYSTEM PRIVATE "${CUPEL_CURAND_INCLUDE}")
  target_link_libraries(unit-core-rng-curand PRIVATE "${CUPEL_CURAND_LIBRARY}")
else()
  message(STATUS "unit.core-rng-curand: not registered, cuRAND was not found")
endif()

add_test(NAME unit.core-two-backends
         COMMAND "${CMAKE_COMMAND}" "-DCUPEL_SOURCE=${PROJECT_SOURCE_DIR}" "-DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/core_two_backends"
                 "-DCC=${CMAKE_C_COMPILER}" -P "${CMAKE_CURRENT_LIST_DIR}/core_two_backends/check.cmake")
# The same generator inside: a machine with Ninja need not have make.
set_tests_properties(unit.core-two-backends PROPERTIES LABELS unit TIMEOUT 120 ENVIRONMENT "CMAKE_GENERATOR=${CMAKE_GENERATOR}")
