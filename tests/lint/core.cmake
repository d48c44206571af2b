# SPDX-License-Identifier: Apache-2.0
# The core dialect is proven on every machine: as text, strictly as C by each compiler found, as OpenCL C and as CUDA C++.
set(core_dir "${PROJECT_SOURCE_DIR}/src/core")

function(cupel_add_core_lint name)
  add_test(NAME lint.core-${name} COMMAND ${ARGN})
  set_tests_properties(lint.core-${name} PROPERTIES LABELS lint TIMEOUT 300 ENVIRONMENT "LC_ALL=C")
endfunction()

if(Python3_FOUND)
  cupel_add_core_lint(dialect "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/core_dialect.py" "${core_dir}")
  cupel_add_core_lint(dialect-faults "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/core_dialect.py" --faults
                      "${CMAKE_CURRENT_LIST_DIR}/core_dialect_faults.txt")
else()
  message(STATUS "lint.core-dialect: not registered, python3 was not found")
endif()

find_program(CUPEL_LINT_CXX NAMES g++ clang++ c++)
set(header_compilers "${CMAKE_C_COMPILER}")
if(CUPEL_LINT_CXX)
  list(APPEND header_compilers "${CUPEL_LINT_CXX}")
endif()
cupel_add_core_lint(headers "${CMAKE_CURRENT_LIST_DIR}/core_headers.sh" "${core_dir}" ${header_compilers})

# Implicit conversions between float32, float64 and integers are errors: OpenCL accepts a double in a float32 body silently.
set(strict -std=c11 -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wvla -Wundef -Werror
           -ffp-contract=off -fsyntax-only)
foreach(compiler IN ITEMS gcc clang)
  find_program(CUPEL_LINT_${compiler} ${compiler})
  if(CUPEL_LINT_${compiler})
    cupel_add_core_lint(strict-${compiler} "${CUPEL_LINT_${compiler}}" ${strict} "${CMAKE_CURRENT_LIST_DIR}/core_bodies.c")
  else()
    message(STATUS "lint.core-strict-${compiler}: not registered, ${compiler} was not found")
  endif()
endforeach()

find_program(CUPEL_LINT_NVCC nvcc HINTS /usr/local/cuda/bin)
if(CUPEL_LINT_NVCC)
  cupel_add_core_lint(cuda "${CUPEL_LINT_NVCC}" --fmad=false -Werror all-warnings -Xcompiler=-Wall,-ffp-contract=off -ptx -o
                      "${CMAKE_CURRENT_BINARY_DIR}/core_bodies.ptx" "${CMAKE_CURRENT_LIST_DIR}/core_bodies.cu")
else()
  message(STATUS "lint.core-cuda: not registered, nvcc was not found")
endif()

find_package(OpenCL)
if(OpenCL_FOUND)
  cupel_embed_core_programs(programs)
  set(table "${CMAKE_CURRENT_BINARY_DIR}/core_programs.def")
  set(lines "")
  foreach(program IN LISTS programs)
    cmake_path(GET program STEM symbol)
    string(APPEND lines "PROGRAM(${symbol})\n")
  endforeach()
  file(CONFIGURE OUTPUT "${table}" CONTENT "@lines@" @ONLY)
  add_executable(lint-core-opencl core_opencl.c ${programs})
  target_include_directories(lint-core-opencl PRIVATE "${core_dir}" "${CMAKE_CURRENT_BINARY_DIR}")
  target_link_libraries(lint-core-opencl PRIVATE OpenCL::OpenCL cupel_flags)
  cupel_add_core_lint(opencl lint-core-opencl)
else()
  message(STATUS "lint.core-opencl: not registered, OpenCL headers or loader were not found")
endif()

if(CMAKE_OBJDUMP AND TARGET nc_cpu AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  cupel_add_core_lint(fused "${CMAKE_CURRENT_LIST_DIR}/core_fused.sh" "${CMAKE_C_COMPILER}" "${CMAKE_OBJDUMP}"
                      "${CMAKE_CURRENT_BINARY_DIR}/core_fused" "$<TARGET_FILE:nc_cpu>" "$<TARGET_FILE:nc_cpu_shared>")
else()
  message(STATUS "lint.core-fused: not registered, it needs objdump, the CPU backend and x86-64")
endif()
