#include "inspector/one_scan.hpp"

#include <string>
#include <vector>

#include "inspector/request.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

struct OneScan::Heads {
  struct Kept {
    std::size_t at = 0;  ///< of the path in `text`; the header follows it
    std::size_t path_bytes = 0;
    std::optional<std::size_t> header_bytes{};
    RecordHead head{};  ///< without the two
  };
  std::string run;
  bool headers = false;
  std::string text{};
  std::vector<Kept> all{};
};

OneScan::~OneScan() = default;

std::shared_ptr<const OneScan::Heads> OneScan::read(std::string_view run, bool headers,
                                                    const Wait& wait) const {
  heads_.reset();
  auto heads = std::make_shared<Heads>(Heads{.run = std::string{run}, .headers = headers});
  next().scan(run, {.headers = headers, .wait = wait}, [&](const RecordHead& head) {
    Heads::Kept one{heads->text.size(), head.id.path.size(), std::nullopt, head};
    heads->text += head.id.path;
    if (head.header) {
      one.header_bytes = head.header->size();
      heads->text += *head.header;
    }
    heads->all.push_back(one);
    return true;
  });
  heads_ = heads;
  return heads;
}

void OneScan::do_scan(std::string_view run, const ScanOptions& what,
                      FunctionRef<bool(const RecordHead&)> visit) const {
  // The headers of a few records are read one by one; those of a whole run come with a scan.
  const bool all_headers = what.headers && what.prefix.empty();
  auto heads = heads_;
  // Which headers a plan needs is known once the recorded pipeline is.
  if (!heads && !headers_ && what.prefix.starts_with('@')) return next().scan(run, what, visit);
  if (!heads || heads->run != run || (all_headers && !heads->headers)) {
    heads = read(run, headers_ || all_headers, what.wait);
  }
  const std::string_view text = heads->text;
  for (const Heads::Kept& one : heads->all) {
    RecordHead head = one.head;
    head.id.path = text.substr(one.at, one.path_bytes);
    head.header.reset();
    if (!head.id.path.starts_with(what.prefix)) continue;
    if (head.quarantined && !what.quarantined) continue;
    if (what.headers && one.header_bytes) {
      head.header = text.substr(one.at + one.path_bytes, *one.header_bytes);
    }
    if (!visit(head)) return;
  }
}

void OneScan::do_get_many(std::string_view run, std::span<const RecordId> ids,
                          FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  next().get_many(
      run, ids,
      [&](Fetched one) {
        if (!one.record && !one.error) heads_.reset();
        return visit(std::move(one));
      },
      wait);
}

std::unique_ptr<Lease> OneScan::do_lease(std::string_view run, const LeaseRequest& request) {
  heads_.reset();
  return next().lease(run, request);
}

RemoveResult OneScan::do_remove(std::string_view run, const RemoveOptions& options) {
  heads_.reset();
  return next().remove(run, options);
}

void scan_once(Request& request, Scan depth) {
  request.store = std::make_unique<OneScan>(std::move(request.store), depth == Scan::headers);
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
