/// @file
/// A store whose records somebody has changed who can also make every checksum right again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "resumable/forwarding_store.hpp"

namespace resumable::test {

class TamperingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  /// Is given each record that is read, and the path of each that is asked for.
  std::function<void(std::string_view path, StoredRecord&)> change = [](std::string_view,
                                                                        StoredRecord&) {};
  std::function<std::string(std::string_view)> redirect = [](std::string_view path) {
    return std::string{path};
  };

 private:
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override {
    std::vector<std::string> paths;
    for (const RecordId id : ids) paths.push_back(redirect(id.path));
    std::vector<RecordId> redirected;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      redirected.push_back({paths[i], ids[i].generation});
    }
    next().get_many(
        run, redirected,
        [&](Fetched one) {
          if (one.record) change(paths[one.index], *one.record);
          return visit(std::move(one));
        },
        wait);
  }
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    next().scan(run, what, [&](const RecordHead& head) {
      auto record = head.damage == Damage::none ? get(run, head.id) : std::nullopt;
      if (!record) return visit(head);
      RecordHead changed = head;
      changed.tag = record->tag;
      if (head.header) changed.header = record->header;
      return visit(changed);
    });
  }
};

/// Flips bit `number` of a record's tag, header and payload, which follow each other; false when it
/// has fewer.
inline bool flip(StoredRecord& record, std::size_t number) {
  const auto bit = static_cast<unsigned char>(1U << (number % 8));
  std::size_t at = number / 8;
  if (at < record.tag.raw.size()) {
    record.tag.raw[at] ^= std::byte{bit};
    return true;
  }
  at -= record.tag.raw.size();
  if (at < record.header.size()) {
    record.header[at] = static_cast<char>(record.header[at] ^ bit);
    return true;
  }
  at -= record.header.size();
  std::string bytes = read_all(*record.payload);
  if (at >= bytes.size()) return false;
  bytes[at] = static_cast<char>(bytes[at] ^ bit);
  record.payload = std::make_shared<const StringPayload>(std::move(bytes));
  return true;
}

}  // namespace resumable::test
