/// @file
/// A file that gets the text of every item of a fan-out, in order, during the run.
///
/// The record `@appended/PATH` says how far the file is known to be whole: the number of items and
/// their content, the number of bytes and their digest. It is written when the fan-out is done,
/// when the call ends, and before the file is written again. What a killed process appended after
/// that is compared with the texts that belong there, and cut off from the first text that is not
/// whole.
///
/// What users change before a call is found by AppendedEdits; if they change the file during a
/// call, the change stays, and nothing more is appended in this call.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exports/growing_file.hpp"
#include "exports/ledger.hpp"
#include "plan/state.hpp"
#include "record/events.hpp"
#include "record/recorder.hpp"
#include "record/run_facts.hpp"
#include "resumable/function_ref.hpp"

namespace resumable::exports {

class Appending {
 public:
  struct Tools {
    const detail::Graph& graph;
    record::RunFacts& facts;
    ExportLedger& ledger;
    record::Recorder& recorder;
    record::Events& events;
    Folder& folder;
    std::vector<std::string>& warnings;
  };
  /// The value of the item at this place of the list.
  using ValueOf = FunctionRef<detail::AnyValue(std::size_t)>;

  Appending(Tools tools, std::uint32_t node, const detail::Artifact& artifact)
      : tools_(tools), node_(node), artifact_(artifact), file_(tools.folder, artifact.pattern) {}

  /// Finds out what is there, and cuts off what does not belong there.
  /// @throws Error{Errc::edited}, Error{Errc::unreadable}, Error{Errc::store_failed}
  void begin(const plan::NodeState& state, ValueOf value);
  /// Appends what is done now, as far as everything before it is. @throws Error as begin()
  void advance(const plan::NodeState& state, ValueOf value);
  /// All items are done: afterwards the file is whole, and this is recorded. @throws Error as
  /// begin()
  void finish(const plan::NodeState& state, ValueOf value);
  /// Records how far the file is whole. @throws Error{Errc::store_failed}
  void confirm_if_needed() {
    if (unconfirmed_ && !failed_) confirm();
  }

 private:
  void confirm();
  void commit(AppendedSoFar known);
  void mark();
  [[nodiscard]] std::string mark_name() const;
  [[nodiscard]] std::uint64_t generation() const;
  [[nodiscard]] AppendedSoFar so_far(std::uint64_t bytes, const Digest& content) const;
  [[nodiscard]] std::optional<AppendedSoFar> find_known();
  void rewrite(const plan::NodeState& state, ValueOf value);
  void leave();
  void follow_order(const plan::NodeState& state);
  [[nodiscard]] bool is_done(const plan::NodeState& state, std::size_t place) const;
  [[nodiscard]] std::string text_of(const plan::NodeState& state, std::size_t place,
                                    ValueOf value) const;
  void count(const plan::NodeState& state, std::size_t place);
  [[nodiscard]] bool begins_as_recorded(const plan::NodeState& state, const AppendedSoFar& known);
  void take_tail(const plan::NodeState& state, ValueOf value);
  void cut_tail(std::string_view expected);
  void check(std::error_code error, std::string_view operation);
  [[noreturn]] void refuse(std::string_view how);

  Tools tools_;
  std::uint32_t node_;
  const detail::Artifact& artifact_;
  GrowingFile file_;
  std::vector<std::string> order_;          ///< keys, as far as their order is settled
  std::set<std::string> placed_;            ///< the same keys
  std::size_t expanded_ = 0;                ///< of order_: those whose children stand in it
  std::size_t next_ = 0;                    ///< of order_: the first whose text is not in the file
  Digester sequence_;                       ///< of those before: keys and identities
  std::vector<AppendedSoFar::Part> parts_;  ///< the same, in a file that users may edit
  bool open_ = false;
  bool must_rewrite_ = false;  ///< what is in the file is not what it would begin with now
  Digest former_;              ///< of what is in the file then
  bool edited_ = false;        ///< a user has written some of what is in the file
  bool unconfirmed_ = false;
  bool failed_ = false;  ///< nothing more is done with the file in this call
  bool left_ = false;    ///< a user has changed it: the same, but what was appended is recorded
};

}  // namespace resumable::exports
