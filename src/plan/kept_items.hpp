/// @file
/// The items of a fan-out that are kept, found from their records' heads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/decider.hpp"

namespace resumable::plan {

/// Most items of a run that is resumed are as they were: done, and nothing is to be said of them.
/// That needs their records' heads alone, and no text that is made for each of them. Whatever else
/// there may be is left to Decider::decide_item(), which comes to the same decision for these.
class Decider::KeptItems {
 public:
  /// All must outlive it.
  KeptItems(const Decider& decider, std::uint32_t node, const NodeState& state,
            std::span<const NodeState> before);

  /// The head of the record that is kept; nullptr where more has to be looked at.
  [[nodiscard]] const core::Head* find(std::size_t item);

 private:
  /// The identity of an input that each item has its own of.
  struct Own {
    std::size_t at;  ///< in the pieces
    const detail::Arg& arg;
  };

  bool put_inputs_together();
  void append_piece(std::string_view piece);
  bool fill_in(std::size_t item);

  const Decider& decider_;
  std::uint32_t node_;
  const NodeState& state_;
  std::span<const NodeState> before_;
  std::string path_;
  std::size_t stage_ = 0;  ///< so long is its part of the path
  std::string pieces_;     ///< what a fingerprint is the digest of
  std::vector<Own> own_;
  bool able_ = false;
};

}  // namespace resumable::plan
