// SPDX-License-Identifier: Apache-2.0
// The course of a run, one loop for every stepping: each lane proposes a step, all make it, each judges it, rows of the grid that
// were reached are stored. Body: include once per real type.

// Where a lane stands on the grid and on its step list.
typedef struct NC_N(nc_course) {
    NC_REAL time[NC_LANES];
    nc_u64 point[NC_LANES]; // the next grid point
    nc_u64 entry[NC_LANES]; // replay: the list's entry at `time`; else entries recorded
    nc_u64 entries[NC_LANES];
} NC_N(nc_course);

// The arrays of a run.
typedef struct NC_N(nc_arrays) {
    NC_GLOBAL const NC_REAL *grid;
    NC_GLOBAL NC_REAL *out, *list;
    NC_GLOBAL nc_i32 *report;
    NC_GLOBAL const nc_i32 *lengths;
} NC_N(nc_arrays);

// The first cell of a vector that is not finite or, unless that is allowed, negative.
NC_FN_LANES void NC_N(nc_state_check)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes,
                                      NC_WORK_READ state)
{
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_REAL value = state[NC_AT(cell, lane)];
            if (lanes->busy[lane] != 0) {
                if (!NC_N(nc_is_finite)(value)) {
                    NC_N(nc_lane_fail)(lanes, lane, NC_LANE_NONFINITE, (nc_i32)cell);
                } else if (call->allow_negative == 0 && value < NC_C(0.0)) {
                    NC_N(nc_lane_fail)(lanes, lane, NC_LANE_NEGATIVE_STATE, (nc_i32)cell);
                }
            }
        }
    }
}

// Stores the state of a lane as row `row`, or NaN when it is absent.
NC_FN void NC_N(nc_row_store)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin, nc_u32 lane, nc_u64 row,
                              nc_i32 present, NC_GLOBAL NC_REAL *out)
{
    NC_WORK_READ state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    nc_operand place = nc_operand_row(call->out, row);
    nc_u64 trajectory = call->wave.first + begin + lane;
    for (nc_u32 cell = 0; cell < tile.cells && trajectory < call->wave.count; ++cell) {
        NC_REAL value = present != 0 ? state[NC_AT(cell, lane)] : NC_N(nc_nan)();
        out[nc_operand_at(place, trajectory, cell)] = NC_CANON(value);
    }
}

// Rows of all grid points that the lanes have reached.
NC_FN void NC_N(nc_course_store)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin,
                                 NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course,
                                 NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane)
    {
        while (lanes->status[lane] == NC_LANE_OK && course->point[lane] < call->points &&
               arrays.grid[course->point[lane]] <= course->time[lane]) {
            if (call->history != 0) {
                NC_N(nc_row_store)(call, tile, begin, lane, course->point[lane], 1, arrays.out);
            }
            ++course->point[lane];
        }
    }
}

// An adaptive run's step list gets the time of the lane.
NC_FN void NC_N(nc_course_record)(NC_PRIVATE const nc_solver_call *call, nc_u64 begin, nc_u32 lane,
                                  NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course, NC_N(nc_arrays) arrays)
{
    nc_u64 trajectory = call->wave.first + begin + lane;
    if (call->records == 0) {
        return;
    }
    if (course->entry[lane] >= call->capacity) {
        NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_LIST_FULL, -1);
        return;
    }
    if (trajectory < call->wave.count) {
        arrays.list[nc_operand_at(call->list, trajectory, course->entry[lane])] = course->time[lane];
    }
    ++course->entry[lane];
    ++lanes->recorded[lane];
}

// The next entry of a replayed list, or the lane's own time if there is none before the target.
NC_FN NC_REAL NC_N(nc_course_replay)(NC_PRIVATE const nc_solver_call *call, nc_u64 begin, nc_u32 lane,
                                     NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course, NC_N(nc_arrays) arrays,
                                     NC_REAL target)
{
    nc_u64 trajectory = nc_wave_trajectory(call->wave, begin, lane);
    NC_REAL to = course->time[lane];
    if (course->entry[lane] + 1u < course->entries[lane]) {
        NC_REAL from = arrays.list[nc_operand_at(call->list, trajectory, course->entry[lane])];
        ++course->entry[lane];
        to = arrays.list[nc_operand_at(call->list, trajectory, course->entry[lane])];
        if (from != course->time[lane]) {
            to = course->time[lane];
        }
    }
    if (!(to > course->time[lane] && to <= target)) {
        NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_LIST_INVALID, -1);
    }
    return to;
}

// Each lane's next step. A lane that has failed or has reached the end stays where it is, with step 0.
NC_FN_LANES void NC_N(nc_course_propose)(NC_PRIVATE const nc_solver_call *call, nc_u64 begin, NC_PRIVATE NC_N(nc_lanes) * lanes,
                                         NC_PRIVATE NC_N(nc_course) * course, NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane)
    {
        NC_REAL from = course->time[lane], to = from;
        nc_i32 open = lanes->status[lane] == NC_LANE_OK && course->point[lane] < call->points;
        if (open && (nc_i64)lanes->accepted[lane] + lanes->rejected[lane] >= call->step_limit) {
            NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_LIMIT, -1);
            open = 0;
        }
        if (open) {
            to = arrays.grid[course->point[lane]];
            if (call->stepping == NC_STEP_ADAPTIVE) {
                to = NC_N(nc_control_end)(from, lanes->wish[lane], to);
            } else if (call->stepping == NC_STEP_REPLAY) {
                to = NC_N(nc_course_replay)(call, begin, lane, lanes, course, arrays, to);
            }
            if (!(to > from)) {
                NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_TOO_SMALL, -1);
            }
        }
        lanes->from[lane] = from;
        lanes->to[lane] = to;
        lanes->step[lane] = to - from;
        lanes->busy[lane] = open && lanes->status[lane] == NC_LANE_OK;
    }
}

// The next state becomes the state of every lane that made its step.
NC_FN_LANES void NC_N(nc_course_commit)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin,
                                        NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course,
                                        NC_N(nc_arrays) arrays)
{
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK_READ next = NC_N(nc_vector)(tile, NC_VECTOR_NEXT);
    NC_FOR_LANES(lane)
    {
        lanes->busy[lane] = lanes->busy[lane] != 0 && lanes->status[lane] == NC_LANE_OK;
        lanes->accepted[lane] += lanes->busy[lane];
        course->time[lane] = lanes->busy[lane] != 0 ? lanes->to[lane] : course->time[lane];
        lanes->step_before[lane] = lanes->busy[lane] != 0 ? lanes->step[lane] : lanes->step_before[lane];
    }
    if (call->method == NC_SOLVE_BDF2) {
        NC_WORK before = NC_N(nc_extra)(tile, NC_EXTRA_BEFORE);
        for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
            NC_FOR_LANES(lane)
            {
                NC_PLACE place = NC_AT(cell, lane);
                before[place] = lanes->busy[lane] != 0 ? state[place] : before[place];
            }
        }
    }
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            nc_i32 moves = lanes->busy[lane];
            state[place] = moves != 0 ? next[place] : state[place];
        }
    }
    NC_FOR_LANES(lane)
    {
        if (lanes->busy[lane] != 0) {
            NC_N(nc_course_record)(call, begin, lane, lanes, course, arrays);
        }
    }
}

// One step of every busy lane into the vector NEXT, by the method.
NC_FN void NC_N(nc_method_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    if (call->method <= NC_SOLVE_DOPRI5) {
        NC_N(nc_explicit_step)(tile, call->program, lanes, call->method);
    } else if (call->method == NC_SOLVE_ROS2) {
        NC_N(nc_ros2_step)(call, tile, lanes);
    } else if (call->method <= NC_SOLVE_SDIRK2) {
        NC_N(nc_newton_step)(call, tile, lanes);
    } else {
        NC_N(nc_imex_step)(call, tile, lanes);
    }
}

// Loads the state, checks it and stores the first row.
NC_FN void NC_N(nc_course_begin)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin,
                                 NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course, NC_N(nc_arrays) arrays)
{
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_FOR_LANES(lane)
    {
        nc_u64 trajectory = nc_wave_trajectory(call->wave, begin, lane);
        lanes->from[lane] = arrays.grid[0];
        lanes->to[lane] = arrays.grid[0];
        lanes->step[lane] = NC_C(0.0);
        lanes->step_before[lane] = NC_C(0.0);
        lanes->factored[lane] = NC_C(0.0);
        lanes->busy[lane] = 1;
        lanes->status[lane] = NC_LANE_OK;
        lanes->cell[lane] = -1;
        lanes->accepted[lane] = 0;
        lanes->rejected[lane] = 0;
        lanes->newton[lane] = 0;
        lanes->recorded[lane] = 0;
        lanes->wish[lane] = NC_C(0.0);
        lanes->rejects[lane] = 0;
        course->time[lane] = arrays.grid[0];
        course->point[lane] = 0u;
        course->entry[lane] = 0u;
        course->entries[lane] = 0u;
        if (call->stepping == NC_STEP_REPLAY) {
            nc_i32 length = arrays.lengths[nc_operand_at(call->lengths, trajectory, 0u)];
            course->entries[lane] = length > 0 && (nc_u64)length <= call->capacity ? (nc_u64)length : 0u;
        }
    }
    if (call->method == NC_SOLVE_BDF2) {
        NC_N(nc_vector_copy)(tile, state, NC_N(nc_extra)(tile, NC_EXTRA_BEFORE)); // nothing is before the start
    }
    NC_N(nc_state_check)(call, tile, lanes, state);
    NC_FOR_LANES(lane)
    {
        if (lanes->status[lane] == NC_LANE_OK) {
            NC_N(nc_course_record)(call, begin, lane, lanes, course, arrays);
        }
    }
    NC_N(nc_course_store)(call, tile, begin, lanes, course, arrays);
}

NC_FN void NC_N(nc_course_report)(NC_PRIVATE const nc_solver_call *call, nc_u64 begin, NC_PRIVATE const NC_N(nc_lanes) * lanes,
                                  NC_PRIVATE const NC_N(nc_course) * course, NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane)
    {
        nc_u64 trajectory = call->wave.first + begin + lane;
        nc_i32 failed_in_step = lanes->status[lane] != NC_LANE_OK && course->point[lane] > 0u; // not in the initial state
        nc_i32 row[NC_REPORT_WIDTH];
        row[0] = lanes->status[lane];
        row[1] = lanes->accepted[lane] + failed_in_step;
        row[2] = lanes->cell[lane];
        row[3] = lanes->accepted[lane];
        row[4] = lanes->rejected[lane];
        row[5] = lanes->newton[lane];
        row[6] = lanes->recorded[lane];
        for (nc_u32 k = 0; k < NC_REPORT_WIDTH && trajectory < call->wave.count; ++k) {
            arrays.report[nc_operand_at(call->report, trajectory, k)] = row[k];
        }
    }
}

// The final state, or NaN wherever a failed lane did not get to.
NC_FN void NC_N(nc_course_end)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin,
                               NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_PRIVATE const NC_N(nc_course) * course,
                               NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane)
    {
        if (call->history == 0) {
            NC_N(nc_row_store)(call, tile, begin, lane, 0u, lanes->status[lane] == NC_LANE_OK, arrays.out);
        }
        for (nc_u64 point = course->point[lane]; call->history != 0 && point < call->points; ++point) {
            NC_N(nc_row_store)(call, tile, begin, lane, point, 0, arrays.out);
        }
    }
}

NC_FN_LANES void NC_N(nc_course_run)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin,
                                     NC_N(nc_arrays) arrays)
{
    NC_N(nc_lanes) lanes;
    NC_N(nc_course) course;
    NC_REAL norm[NC_LANES];
    NC_N(nc_course_begin)(call, tile, begin, &lanes, &course, arrays);
    if (call->stepping == NC_STEP_ADAPTIVE) {
        NC_N(nc_control_begin)(call, tile, &lanes);
    }
    NC_N(nc_course_propose)(call, begin, &lanes, &course, arrays);
    while (NC_N(nc_any_busy)(&lanes) != 0) {
        if (call->stepping == NC_STEP_ADAPTIVE) {
            NC_N(nc_adaptive_step)(call, tile, &lanes, norm);
            NC_N(nc_control_judge)(call, &lanes, norm);
        } else {
            NC_N(nc_method_step)(call, tile, &lanes);
        }
        NC_N(nc_state_check)(call, tile, &lanes, NC_N(nc_vector)(tile, NC_VECTOR_NEXT));
        NC_N(nc_course_commit)(call, tile, begin, &lanes, &course, arrays);
        if (call->stepping == NC_STEP_ADAPTIVE) {
            NC_N(nc_control_reuse)(tile, &lanes);
        }
        NC_N(nc_course_store)(call, tile, begin, &lanes, &course, arrays);
        NC_N(nc_course_propose)(call, begin, &lanes, &course, arrays);
    }
    NC_N(nc_course_report)(call, begin, &lanes, &course, arrays);
    NC_N(nc_course_end)(call, tile, begin, &lanes, &course, arrays);
}
