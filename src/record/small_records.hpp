/// @file
/// The payloads of the library's own records of a run, of lists and of failures, as docs/format.md
/// specifies them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/facts.hpp"
#include "resumable/cost.hpp"
#include "sys/build_id.hpp"

namespace resumable::record {

/// Failed tries so far, of a stage, an item or a step.
struct Tried {
  unsigned now = 0;  ///< that count against Retry::attempts
  unsigned total = 0;
  Cost cost;
};

/// The last of them: the payload of an `attempt` or `tries` record.
struct Failure {
  Tried tried;
  bool final = false;  ///< no other was due: the next one has a new allowance
  std::string message;
  std::string code;                   ///< of a step's
  std::chrono::milliseconds wait{0};  ///< before the next one, of a step's
};
[[nodiscard]] std::string encode_failure(const Failure& failure);
/// A default Failure if the payload is not one. After a final one Tried::now is 0.
[[nodiscard]] Failure decode_failure(std::string_view bytes);

/// Which builds of the program made a run's records: each from a fence on. "" is not known.
using Programs = std::map<std::uint64_t, sys::Build>;

/// The payload of the `run` record.
struct RunRecord {
  std::string run;
  std::string pipeline;
  std::string created;  ///< UTC
  Programs programs{};  ///< empty in runs that were begun before this was recorded
  std::string graph{};  ///< JSON, see core::encode_graph(); likewise
  /// Of a fork: what it was made from.
  struct Fork {
    std::string run;
    std::string uid;
    std::string stage;  ///< from which on it was left out, or ""
    std::string tag;    ///< whose state it began with, or ""
    friend bool operator==(const Fork&, const Fork&) = default;
  };
  std::optional<Fork> forked{};
  /// Records up to this fence may name inputs that were removed on purpose, or never were in this
  /// run; nullopt in runs that were begun before this was recorded.
  std::optional<std::uint64_t> forgotten{};
  std::map<std::string, std::string> labels{};
  std::chrono::seconds time_to_live{0};  ///< 0: not limited
};
[[nodiscard]] std::string encode_run(const RunRecord& run);
[[nodiscard]] RunRecord decode_run(std::string_view bytes);

/// The payload of a `queue` record: a line per element, an empty line, then their bytes, each with
/// a line feed behind it.
[[nodiscard]] std::string encode_enqueued(const std::vector<plan::Enqueued::Element>& elements);
[[nodiscard]] std::shared_ptr<plan::Enqueued> decode_enqueued(std::string_view bytes);

/// The payload of a `closed` record; the head has fingerprint, revision and fence.
[[nodiscard]] std::string encode_closed(const plan::Closed& closed);
/// nullptr for bytes that encode_closed() never gives.
[[nodiscard]] std::shared_ptr<plan::Closed> decode_closed(std::string_view bytes);

/// The payload of an `items` record: a line for the list's identity, then one per item.
[[nodiscard]] std::string encode_items(const plan::ItemList& list);
[[nodiscard]] std::shared_ptr<const plan::ItemList> decode_items(std::string_view bytes);

}  // namespace resumable::record
