/// @file
/// The program by HTTP: the same requests and answers, with a status for each way to end.
///
///     POST /insights      a request, new or with resumeJobId: 200 with the answer, or 408 with
///                         canResume and the job's id when the time is up
///     GET /insights/ID    200 with the answer of a finished job, 202 with the state of another
///
/// What is posted has to be application/json, which the pages of other sites cannot send without
/// asking first. A server has no more rights than `insights request`: data, provider and folder are
/// those it was started with.
#pragma once

#include <functional>
#include <string>

#include "insights/call.hpp"
#include "program/store.hpp"

namespace insights {

/// Answers requests to the loopback device until the options' stop is requested, which also ends
/// the calls, with what they have saved.
/// @param place    where the jobs are
/// @param options  of each call
/// @param port     0: any that is free
/// @param ready    is told the URL
/// @throws resumable::Error{Errc::bad_option}  the port cannot be had
void serve(const program::Place& place, const CallOptions& options, const Jobs::Now& now, int port,
           const std::function<void(const std::string& url)>& ready);

}  // namespace insights
