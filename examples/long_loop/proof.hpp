/// @file
/// Starts loops in processes of their own, gets them into trouble, and counts what is asked again.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <resumable/resumable.hpp>

using Start =
    std::function<resumable::Report(resumable::CheckpointStore&, const resumable::ResumeOptions&)>;

/// How often expect() was wrong.
extern int failures;
void expect(bool holds, const std::string& what);

/// Starts the program in the present folder, in a process of its own: its exit code, or minus the
/// signal that killed it. 99: the budget of the run is used.
int start(const Start& loop, resumable::ResumeOptions options = {.run = "monday"});

/// Runs a loop, and again in another folder, where `trouble` starts it first. Both have to come to
/// the same. Says how many answers were asked for again, which has to be `again`.
void tell(const std::string& name, const Start& loop, std::size_t again,
          const std::function<void()>& trouble);

/// The trouble is SIGKILL in the 18th call.
void tell_killed(const std::string& name, const Start& loop, std::size_t again);

/// Ctrl+C: returns when it has been noticed.
void press_ctrl_c();
