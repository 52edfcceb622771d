/// @file
/// Tasks and their results on the way between the owner of a run and workers of other processes.
///
/// A task has what only the owner knows. What is recorded of the item (its value before, failed
/// attempts, steps) is read by whoever claims the task: so an item that moves to another worker
/// keeps what it has saved.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/lease.hpp"
#include "resumable/source_file.hpp"
#include "run/worker.hpp"

namespace resumable::run {

/// Where a worker finds an argument of the function.
struct ArgRef {
  enum class From : std::uint8_t {
    record,   ///< the value of this record
    element,  ///< the element at `place` of the list in this record
    bytes,    ///< of an element that an item has enqueued
    file,     ///< of an input folder
    program,  ///< a secret: the worker's program has it
  };
  From from = From::record;
  std::string path{};
  std::uint64_t generation = 0;
  std::uint32_t schema = 1;
  std::size_t place = 0;
  std::string bytes{};
  std::string schemas{};
  SourceFile file{};
};

struct SharedTask {
  Task task{};  ///< node, item, key, fingerprint, inputs, reasons, approval, epoch, closes;
                ///< generation is that of the value to make
  std::vector<ArgRef> args{};  ///< in the order of the function's arguments
  bool resumed = false;
  std::string uid{};  ///< of the run
  Durability durability = Durability::full;
};

/// Whether items of this node may be computed by workers of other processes.
[[nodiscard]] bool may_share(const detail::Graph& graph, std::uint32_t node);

[[nodiscard]] std::string encode(const SharedTask& shared);
/// @throws Error{Errc::not_decodable}
[[nodiscard]] SharedTask decode_task(const detail::Graph& graph, std::string_view bytes);
/// Two tasks of one identity have the same result.
[[nodiscard]] std::string identity_of(const SharedTask& shared);

/// Without its task and its value, which the owner has and reads.
[[nodiscard]] std::string encode(const Completion& completion, std::string_view uid);
/// Adds the result to a completion that has its task. @throws Error{Errc::not_decodable}
void decode_result(std::string_view bytes, std::string_view uid, const std::string& stage,
                   Completion& completion);

/// What a worker must have in common with the owner: the declared graph, and the build.
[[nodiscard]] std::string program_of(const detail::Graph& graph, const sys::Build& build);

}  // namespace resumable::run
