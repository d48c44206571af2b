# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=<tree> -DOUTPUT=<folder> -P CupelSourceId.cmake
#
# Writes <folder>/sources.sha256: "<sha256>  <path>" for every file that a suite executable is made of or reads, in byte order of the paths
# (`cd <tree> && sha256sum -c` reads it). The source id is the SHA-256 of that file; <folder>/source_id.h defines it.
cmake_minimum_required(VERSION 3.25...4.0)

set(files)
foreach(part IN ITEMS backends cmake golden src tests/suites)
  file(GLOB_RECURSE found LIST_DIRECTORIES false RELATIVE "${SOURCE}" "${SOURCE}/${part}/*")
  list(APPEND files ${found})
endforeach()
if(EXISTS "${SOURCE}/CMakeLists.txt")
  list(APPEND files CMakeLists.txt)
endif()
list(SORT files COMPARE STRING)

set(text "")
foreach(file IN LISTS files)
  file(SHA256 "${SOURCE}/${file}" hash)
  string(APPEND text "${hash}  ${file}\n")
endforeach()
string(SHA256 id "${text}")

# Written only when different, so that nothing is compiled again for nothing.
file(MAKE_DIRECTORY "${OUTPUT}")
file(CONFIGURE OUTPUT "${OUTPUT}/sources.sha256" CONTENT "${text}" @ONLY)
file(CONFIGURE OUTPUT "${OUTPUT}/source_id.h" CONTENT "#define CUPEL_SOURCE_ID \"${id}\"\n" @ONLY)
