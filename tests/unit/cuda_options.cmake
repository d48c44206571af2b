# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=... -DBINARY=... -P cuda_options.cmake: an option that relaxes device arithmetic stops the configuration, wherever it
# comes from. Each attempt must fail and name the option.
foreach(attempt IN ITEMS "CMAKE_CUDA_FLAGS|--use_fast_math" "NVCC_APPEND_FLAGS|--fmad=true" "NVCC_PREPEND_FLAGS|-prec-sqrt=false")
  string(REPLACE "|" ";" attempt "${attempt}")
  list(GET attempt 0 variable)
  list(GET attempt 1 option)
  set(definition "-D${variable}=${option}")
  if(variable MATCHES "^NVCC")
    set(ENV{${variable}} "${option}")
    set(definition "-DCUPEL_OPENCL=OFF")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" -B "${BINARY}" -DCUPEL_CUDA=ON -DCUPEL_OPENCL=OFF "${definition}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  unset(ENV{${variable}})
  string(REGEX REPLACE "^-+" "" word "${option}")
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(status EQUAL 0 OR NOT output MATCHES "nvcc would get -*${word}")
    message(FATAL_ERROR "${variable}=${option}: status ${status}, ${output}")
  endif()
  file(REMOVE_RECURSE "${BINARY}")
endforeach()
