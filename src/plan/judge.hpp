/// @file
/// Judges one record against what is declared and known now: whether its value can be taken.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "plan/choices.hpp"
#include "plan/facts.hpp"
#include "plan/state.hpp"

namespace resumable::plan {

/// An input's identity as far as it is known.
struct KnownInput {
  std::string name;   ///< as it is recorded
  std::string shown;  ///< as people call it
  std::optional<Digest> identity;
  bool exempt = false;  ///< order alone, or secret: never part of the fingerprint
};

/// What is being judged: a stage, a condition or one item.
struct Subject {
  std::uint32_t node;
  std::string_view item;
  std::string path;
  const std::vector<KnownInput>& inputs;
  std::optional<Digest> fingerprint;
};

/// The order from strongest to weakest: refuse, wait, run, decide, skip.
[[nodiscard]] bool outweighs(Action a, Action b);

/// Why a value that was dropped after use has to be made again.
struct Need {
  std::string by;           ///< what needs it
  bool is_certain = false;  ///< else it is not known yet whether that runs
};

/// The strongest action wins, and its cause comes first; all causes are kept.
struct Verdict {
  Action action = Action::skip;
  std::vector<Cause> causes;
  std::optional<Digest> identity;
  std::uint64_t generation = 0;
  bool dropped = false;  ///< the record has no value any more
  Kept kept;

  void run(Cause cause) { raise(Action::run, std::move(cause)); }
  void decide(Cause cause) { raise(Action::decide, std::move(cause)); }
  void wait(Cause cause) { raise(Action::wait, std::move(cause)); }
  void refuse(Cause cause) { raise(Action::refuse, std::move(cause)); }
  void note(Cause cause) { causes.push_back(std::move(cause)); }

 private:
  void raise(Action wanted, Cause cause);
};

class Judge {
 public:
  /// All must outlive it. `strict` refuses damage instead of working around it.
  Judge(const detail::Graph& graph, const Facts& facts, std::vector<Request> requests, bool strict);

  [[nodiscard]] Verdict judge(const Subject& subject) const;
  /// Whether judge() comes to nothing but `done` for a subject with this fingerprint whose newest
  /// record is `row`. False where that is not plain from the head.
  [[nodiscard]] bool is_plainly_done(std::uint32_t node, std::string_view item, const Row& row,
                                     const Digest& fingerprint) const;
  /// Whether a request asks for what was recorded under this fence to be made again.
  [[nodiscard]] bool requested(std::uint32_t node, std::string_view item,
                               std::uint64_t fence) const;

  [[nodiscard]] std::uint64_t epoch(std::uint32_t node, std::string_view item) const;

  [[nodiscard]] bool strict() const noexcept { return strict_; }
  [[nodiscard]] const std::vector<Request>& requests() const noexcept { return requests_; }
  void requests(std::vector<Request> requests) {
    requests_ = std::move(requests);
    choices_ = Choices{requests_};
  }
  [[nodiscard]] const Choices& choices() const noexcept { return choices_; }

  /// By node: the values that are needed, if they were dropped.
  [[nodiscard]] std::vector<std::optional<Need>>& needs() noexcept { return needs_; }

 private:
  class Changes;
  struct Usable;
  [[nodiscard]] Usable find_usable(const Subject& subject) const;
  void look_inside(const Subject& subject, Usable& usable) const;
  [[nodiscard]] static std::optional<Cause> refused_inside(const Usable& usable);
  [[nodiscard]] std::optional<Cause> gate(const Subject& subject, const Usable& usable) const;
  void migration(const Subject& subject, const Usable& usable, Verdict& verdict) const;
  void stale(const Subject& subject, const Usable& usable, Verdict& verdict) const;
  void compare_inputs(const Subject& subject, const Usable& usable, Changes& changes) const;
  void age(const Subject& subject, const core::Header& header, Changes& changes) const;
  void no_record(const Subject& subject, Verdict& verdict) const;
  [[nodiscard]] std::optional<Cause> lost(const Subject& subject) const;
  [[nodiscard]] const Row* proof(std::uint32_t node, std::string_view item,
                                 std::string& path) const;
  [[nodiscard]] std::optional<std::uint64_t> listed(const Subject& subject) const;
  [[nodiscard]] bool was_another_kind(const Subject& subject) const;
  void approval(const Subject& subject, Verdict& verdict) const;
  void steps(const Subject& subject, Verdict& verdict) const;
  void left_files(const Subject& subject, const Row& row, Verdict& verdict) const;
  void dropped(const Subject& subject, Verdict& verdict) const;
  void dispute(const Subject& subject, const Row& row, Verdict& verdict) const;
  void begun_effects(const Subject& subject, Verdict& verdict) const;
  [[nodiscard]] bool names(std::uint32_t node, std::string_view item) const;

  struct Shape {
    detail::TypeShape type;
    std::uint32_t hash = 0;
  };
  [[nodiscard]] const Shape& shape_of(const detail::ValueType& type) const;

  const detail::Graph& graph_;
  const Facts& facts_;
  std::vector<Request> requests_;
  Choices choices_;
  bool strict_;
  std::vector<std::vector<std::uint32_t>> users_;  ///< by node: those that take its value
  std::vector<std::optional<Need>> needs_;
  mutable std::map<const detail::ValueType*, Shape> shapes_;  ///< asked for once, not per item
};

/// The side effect whose intent is at `path`, as a cause with the key and file of its record.
[[nodiscard]] Cause begun_effect(const Facts& facts, const std::string& path);

/// What a user is asked when an edit and a new value collide, and the options that answer it.
[[nodiscard]] std::string conflict_text(const std::vector<core::Collision>& collisions);
[[nodiscard]] std::vector<Advice> conflict_advice(std::string_view stage, std::string_view item);

/// The message for a stage or item that waits because of these causes.
[[nodiscard]] std::string waiting_text(const std::vector<Cause>& causes);

/// What is wrong with a record, as a cause with its file.
[[nodiscard]] Cause damage_cause(const Facts& facts, std::string_view path,
                                 std::uint64_t generation, Damage damage);

}  // namespace resumable::plan
