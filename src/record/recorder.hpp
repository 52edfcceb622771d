/// @file
/// Makes records and commits them under a lease.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/key.hpp"
#include "core/record_format.hpp"
#include "record/draft.hpp"
#include "record/tags.hpp"
#include "resumable/store.hpp"
#include "resumable/time.hpp"
#include "sys/clock.hpp"

namespace resumable::record {

/// What a commit was.
struct Committed {
  std::string path;
  std::uint64_t generation = 0;
  core::Head head;
  std::uint64_t bytes = 0;
  double seconds = 0;
  Ticket ticket = 0;
  Durability durability = Durability::full;  ///< that was asked for
};

/// Safe to use from several threads.
class Recorder {
 public:
  /// `results`: the durability of the values, steps and loops of stages; everything else is full.
  Recorder(Lease& lease, sys::Clock& clock, std::string uid, std::string pipeline,
           Durability results = Durability::full)
      : lease_(lease),
        clock_(clock),
        uid_(std::move(uid)),
        pipeline_(std::move(pipeline)),
        results_(results) {}

  /// What commits do not erase, whatever a draft says.
  void keep(Tagged tagged) { tagged_ = std::move(tagged); }
  /// All or nothing, in the order of the drafts. @throws Error as Lease::commit
  std::vector<Committed> commit(std::vector<Draft> drafts, const Wait& wait = {});
  Committed commit(Draft draft, const Wait& wait = {});
  /// Makes everything that was committed durable, before something outside the store depends on it.
  /// @throws Error as Lease::wait
  void flush();

  /// The next number of an export or of a confirmation: it rises over the whole run.
  [[nodiscard]] std::uint64_t order() noexcept {
    return (lease_.fence() << 24) + orders_.fetch_add(1) + 1;
  }
  /// An export is in place: the next record that has artifacts, or the stop, will say so.
  void confirm(core::Export exported);
  /// Those not yet recorded; they count as recorded afterwards.
  [[nodiscard]] std::vector<core::Export> take_confirmed();

  /// When the last commit was; nullopt before the first.
  [[nodiscard]] std::optional<Timestamp> saved_at() {
    const std::scoped_lock lock{guard_};
    return saved_at_;
  }
  [[nodiscard]] Lease& lease() noexcept { return lease_; }
  [[nodiscard]] const std::string& uid() const noexcept { return uid_; }

 private:
  Lease& lease_;
  sys::Clock& clock_;
  std::string uid_;
  std::string pipeline_;
  Durability results_;
  Tagged tagged_;
  std::atomic<std::uint64_t> orders_{0};
  std::atomic<Ticket> last_{0};
  std::mutex guard_;
  std::vector<core::Export> confirmed_;
  std::optional<Timestamp> saved_at_;
};

}  // namespace resumable::record
