#include "sha256/payloads.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "resumable/error.hpp"

namespace resumable::sha256 {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20U;

[[noreturn]] void differs() {
  throw Error(Errc::damaged, {.what = "a payload does not have the SHA-256 that its header says",
                              .kept = "its bytes as they are"});
}

/// A payload of a store, compared while it is read. Stores' payloads may be read by several
/// threads.
class Checked final : public Payload {
 public:
  Checked(std::shared_ptr<const Payload> next, std::string expected)
      : next_(std::move(next)), expected_(std::move(expected)), progress_(*next_) {}

  [[nodiscard]] std::uint64_t size() const override { return next_->size(); }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    const std::size_t count = next_->read(at, to);
    const std::lock_guard lock(guard_);
    progress_.saw(at, {to.data(), count});
    if (progress_.is_whole() && progress_.finish() != expected_) differs();
    return count;
  }
  [[nodiscard]] std::optional<PayloadFile> file() const override { return next_->file(); }

 private:
  std::shared_ptr<const Payload> next_;
  std::string expected_;
  mutable std::mutex guard_;
  mutable Progress progress_;
};

}  // namespace

void Progress::saw(std::uint64_t at, std::string_view bytes) {
  if (!hex_.empty()) return;
  if (at > at_ || at + bytes.size() <= at_) return;
  const auto known = static_cast<std::size_t>(at_ - at);
  sum_.add(bytes.substr(known));
  at_ = at + bytes.size();
}

const std::string& Progress::finish() {
  if (!hex_.empty()) return hex_;
  if (const auto bytes = payload_.view()) saw(0, *bytes);
  std::vector<char> piece(
      static_cast<std::size_t>(is_whole() ? 0 : std::min(piece_bytes, payload_.size() - at_)));
  while (!is_whole()) {
    const std::size_t count = payload_.read(at_, piece);
    if (count == 0) throw Error(Errc::damaged, {.what = "a payload ended too early"});
    saw(at_, {piece.data(), count});
  }
  return hex_ = sum_.finish();
}

std::size_t Digesting::read(std::uint64_t at, std::span<char> to) const {
  const std::size_t count = next_.read(at, to);
  progress_.saw(at, {to.data(), count});
  return count;
}

std::shared_ptr<const Payload> checked(std::shared_ptr<const Payload> payload,
                                       std::string expected) {
  if (payload->view() || payload->size() == 0) {
    if (Progress{*payload}.finish() != expected) differs();
    return payload;
  }
  return std::make_shared<const Checked>(std::move(payload), std::move(expected));
}

}  // namespace resumable::sha256
