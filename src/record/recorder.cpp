#include "record/recorder.hpp"

#include <algorithm>
#include <optional>

#include "core/time.hpp"
#include "resumable/detail/packed_json.hpp"

namespace resumable::record {

Committed Recorder::commit(Draft draft, const Wait& wait) {
  std::vector<Draft> one;
  one.push_back(std::move(draft));
  return commit(std::move(one), wait).front();
}

namespace {

/// JSON whose codec is another form of it gets that form. Its identity is that of the text, so that
/// it stays when a type changes between the forms.
void pack(Draft& draft) {
  if (draft.packed || !detail::is_packed_json(draft.head.codec)) return;
  const std::string json = read_all(*draft.payload);
  if (draft.head.identity == Digest{}) draft.head.identity = digest(json);
  draft.payload = std::make_shared<StringPayload>(detail::pack_json(draft.head.codec, json));
  draft.header.payload_digest = {};
  draft.packed = true;
}

/// A draft on its way into the store.
class Writing {
 public:
  Writing(Draft& draft, std::string_view uid)
      : draft_(draft), uid_(uid), names_value_(draft.head.identity == Digest{}) {
    const auto bytes = draft.payload->view();
    if (draft.header.payload_digest != Digest{}) {
      finished_ = finished();
    } else if (bytes) {
      finished_ = (*this)(digest(*bytes));
    }
  }

  /// Fills in what follows from the payload's bytes. Called by the store once it has read them, and
  /// before, for the length of the header.
  Seal operator()(const Digest& digest) const {
    draft_.header.payload_digest = digest;
    draft_.header.payload_sha256.clear();  // of other bytes, if a header was reused
    if (names_value_) draft_.head.identity = digest;
    return finished();
  }

  /// Valid as long as this.
  [[nodiscard]] Put put() {
    Put put{.id = {draft_.key.path, draft_.generation},
            .tag = {},
            .header = {},
            .payload = draft_.payload.get()};
    if (finished_) {
      put.tag = finished_->tag;
      put.header = finished_->header;
    } else {
      put.seal = *this;
    }
    return put;
  }

 private:
  [[nodiscard]] Seal finished() const {
    const Tag tag = core::encode_tag(draft_.head, {uid_, draft_.key.path, draft_.generation});
    return {tag, core::encode_header(draft_.header, tag)};
  }

  Draft& draft_;
  std::string_view uid_;
  bool names_value_;  ///< the identity is the payload's digest
  std::optional<Seal> finished_;
};

}  // namespace

void Recorder::flush() {
  if (results_ != Durability::full) lease_.wait(last_);
}

std::vector<Committed> Recorder::commit(std::vector<Draft> drafts, const Wait& wait) {
  const sys::BootTime begin = clock_.boot();
  const auto time = std::chrono::floor<std::chrono::milliseconds>(clock_.wall());
  const std::string now = core::format_utc(time);
  std::vector<Writing> writings;  // which the puts refer to
  writings.reserve(drafts.size());
  std::vector<Put> puts;
  std::vector<RecordId> erases;
  for (Draft& draft : drafts) {
    pack(draft);
    if (!draft.keeps_fence) draft.head.fence = lease_.fence();
    draft.header.run_uid = uid_;
    draft.header.pipeline = pipeline_;
    draft.header.key = draft.key.full;
    draft.header.generation = draft.generation;
    // A record that is written again only because of its artifacts keeps its age.
    if (draft.header.at.empty()) draft.header.at = now;
    draft.header.payload_bytes = draft.payload->size();
    puts.push_back(writings.emplace_back(draft, uid_).put());
    for (const auto& [path, generation] : draft.erase) {
      if (!tagged_.contains(path, generation)) erases.push_back({path, generation});
    }
  }
  const bool results = std::ranges::all_of(
      drafts, [](const Draft& draft) { return core::traits(draft.head.kind).may_be_lost; });
  const Durability durability = results ? results_ : Durability::full;
  const Ticket ticket = lease_.commit({puts, erases}, {.durability = durability, .wait = wait});
  for (Ticket last = last_; last < ticket && !last_.compare_exchange_weak(last, ticket);) {
  }
  {
    const std::scoped_lock lock{guard_};
    saved_at_ = time;
  }
  const double seconds = std::chrono::duration<double>(clock_.boot() - begin).count();
  std::vector<Committed> done;
  done.reserve(drafts.size());
  for (const Draft& draft : drafts) {
    done.push_back({draft.key.path, draft.generation, draft.head, draft.header.payload_bytes,
                    seconds, ticket, durability});
  }
  return done;
}

void Recorder::confirm(core::Export exported) {
  const std::scoped_lock lock{guard_};
  confirmed_.push_back(std::move(exported));
}

std::vector<core::Export> Recorder::take_confirmed() {
  const std::scoped_lock lock{guard_};
  // A header is small: what does not fit is recorded in the next one.
  const std::size_t count = std::min<std::size_t>(confirmed_.size(), 32);
  const auto end = confirmed_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<core::Export> taken(confirmed_.begin(), end);
  confirmed_.erase(confirmed_.begin(), end);
  return taken;
}

}  // namespace resumable::record
