/// @file
/// What users have decided about changes: to accept them once, to pin a stage against all of them,
/// or to ignore those of one kind.
///
/// All three are requests (facts.hpp), recorded like redo, from and fresh. They do not change the
/// record of a value: it still says what the value was made from, and a plan compares with that and
/// says which changes were accepted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph.hpp"
#include "plan/facts.hpp"
#include "plan/state.hpp"

namespace resumable::plan {

class Decider;

/// Behind the name of an input of which each item has an element of its own.
inline constexpr std::string_view of_element = "[]";

/// Those of a list of requests that keep stages from running.
class Choices {
 public:
  Choices() = default;
  explicit Choices(const std::vector<Request>& requests);

  [[nodiscard]] bool empty() const noexcept { return standing_.empty(); }
  /// Whether a user has decided anything about this stage.
  [[nodiscard]] bool is_about(std::uint32_t node) const;
  /// Whether the value of this stage or item stays.
  [[nodiscard]] bool pins(std::uint32_t node, std::string_view item) const;
  /// The item itself, rather than its stage as a whole.
  [[nodiscard]] bool pins_item(std::uint32_t node, std::string_view item) const;
  /// `trigger` is the name of an input (with `[]` where it is an item's element), `code` or `age`.
  [[nodiscard]] bool ignores(std::uint32_t node, std::string_view trigger) const;
  /// Whether this call accepts whatever has changed.
  [[nodiscard]] bool accepts_now(std::uint32_t node, std::string_view item) const;
  /// What the record with this head counts as up to date for; nullptr when nothing was accepted.
  [[nodiscard]] const Accepted* accepted(std::uint32_t node, std::string_view item,
                                         const core::Head& head) const;
  /// Whether a list of items that a former revision recorded is used as it is.
  [[nodiscard]] bool keeps_list(std::uint32_t node, std::uint32_t revision) const;

  /// Adds the choices in force for a stage that no cause mentions yet.
  void tell(const detail::Graph& graph, std::uint32_t node, std::vector<Cause>& causes) const;

 private:
  std::vector<Request> standing_;
};

/// Whether it keeps something from running.
[[nodiscard]] inline bool is_choice(const Request& request) noexcept {
  return request.what == Request::What::accept || request.what == Request::What::pin ||
         request.what == Request::What::ignore;
}

/// Whether an ignore names something that can make its stage stale.
/// @throws Error{Errc::bad_option}
void check_trigger(const detail::Graph& graph, const Request& wish);

/// Adds a request of this call: one that is already in force is not made twice, and one that undoes
/// replaces the recorded one.
/// @throws Error{Errc::bad_option}  the stage has no such trigger
void merge_choice(const detail::Graph& graph, Request wish, std::vector<Request>& all);

/// Checks whether the requests of this call can be fulfilled.
/// @throws Error{Errc::no_value}    there is no value to pin or to accept
/// @throws Error{Errc::bad_option}  a redo of what is pinned; accepting what is not known yet
void check_choices(const detail::Graph& graph, const Facts& facts, const Decider& decider,
                   std::span<const NodeState> states);

/// The record of an accept of this call: the records that it accepts, and those that an earlier one
/// accepted.
[[nodiscard]] std::vector<Accepted> accepted_records(const Facts& facts, const Decider& decider,
                                                     std::uint32_t node,
                                                     std::span<const NodeState> states);

}  // namespace resumable::plan
