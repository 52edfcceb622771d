#include "resumable/open_store.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/remedy.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "resumable/journal_store.hpp"
#include "store/parameters.hpp"
#include "sys/file_system.hpp"

namespace resumable {
inline namespace v0 {
namespace {

/// What stands before the colon, or "" for a path.
std::string scheme_of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == url.npos || colon < 2) return {};
  const std::string_view scheme = url.substr(0, colon);
  const bool plain = std::ranges::all_of(scheme, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  });
  if (!plain) return {};
  std::string lower;
  for (const char c : scheme) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

[[noreturn]] void unknown_scheme(std::string_view url, const std::string& scheme,
                                 const StoreFactories& factories) {
  std::vector<std::string> known{"file:DIR", "journal:DIR", "a path"};
  for (const auto& [name, factory] : factories) {
    if (!name.empty() && name != "file" && name != "journal") known.push_back(name + ":…");
  }
  throw Error(
      Errc::bad_option,
      {.what =
           fmt::format("this program knows no stores of the kind '{}:'", core::printable(scheme)),
       .next = fmt::format("it knows {}; for a folder of this name write ./{}",
                           fmt::join(known, ", "), core::printable(without_password(url)))});
}

enum class FolderKind : std::uint8_t { as_it_says, files, journal };

/// Takes `?shared=yes` from the end of a URL. A `?` without `=` belongs to the folder's name, and
/// so does any other in a path without a scheme.
SharedFileSystem take_shared(std::string& path, bool is_url) {
  const std::size_t mark = path.rfind('?');
  if (mark == path.npos || path.find('=', mark) == path.npos) return SharedFileSystem::refuse;
  SharedFileSystem shared = SharedFileSystem::refuse;
  std::string rest =
      store::take_parameters(path, mark, [&](std::string_view name, std::string_view value) {
        if (name != "shared" || (value != "yes" && value != "no")) return false;
        shared = value == "yes" ? SharedFileSystem::allow : SharedFileSystem::refuse;
        return true;
      });
  if (rest.size() == mark) {
    path = std::move(rest);
    return shared;
  }
  if (!is_url) return SharedFileSystem::refuse;
  throw Error(Errc::bad_option,
              {.what = fmt::format("the URL of the store has '{}', which is no parameter of a"
                                   " folder",
                                   core::printable(std::string_view{path}.substr(mark + 1))),
               .next = "the only one is shared=yes; a folder of this name is written as a path,"
                       " without a scheme"});
}

std::unique_ptr<CheckpointStore> store_in(const std::filesystem::path& folder, FolderKind kind,
                                          const FileStoreOptions& options) {
  const bool journal = kind == FolderKind::journal ||
                       (kind == FolderKind::as_it_says && JournalStore::is_in(folder));
  if (journal)
    return std::make_unique<JournalStore>(folder, JournalStoreOptions{.folder = options});
  return std::make_unique<FileStore>(folder, options);
}

std::unique_ptr<CheckpointStore> open_folder(std::string_view url, FolderKind kind,
                                             CreateStore create) {
  if (url.starts_with("//")) url.remove_prefix(2);  // file:///srv/out
  std::string path{url};
  const FileStoreOptions options{.create = create,
                                 .shared = take_shared(path, kind != FolderKind::as_it_says)};
  if (path.empty()) {
    throw Error(Errc::bad_option, {.what = "the URL of the store names no folder",
                                   .next = "write file:DIR, journal:DIR, or a path"});
  }
  const std::filesystem::path folder{path};
  const auto files = sys::posix_file_system();
  sys::File opened;
  const std::error_code error = files->open_root(folder.string(), opened);
  if (error == std::errc::no_such_file_or_directory) {
    if (create == CreateStore::if_absent) return store_in(folder, kind, options);
    throw Error(Errc::bad_option,
                {.what = fmt::format("there is no folder '{}'", core::printable(path)),
                 .next = "name a store that exists",
                 .advice = {{.option = Option::create_store, .purpose = "to create it"}}});
  }
  if (error == std::errc::not_a_directory) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("'{}' is a file, not a store's folder", core::printable(path)),
                 .next = "name the folder that has the runs in it"});
  }
  if (error) {
    throw Error(Errc::unreadable,
                {.what = fmt::format("the store '{}' cannot be opened", core::printable(path)),
                 .operation = "open",
                 .file = folder.string(),
                 .kept = "everything: what is there is not known, and nothing was changed",
                 .next = core::remedy(error, "fix the cause") + ", then try again",
                 .cause = error});
  }
  return store_in(folder, kind, options);
}

/// The parameter of with_s3_payloads(), whose factories never pass it on. To anyone else it would
/// be a part of the name of a folder.
void refuse_payloads(std::string_view url, const StoreFactories& factories) {
  constexpr std::string_view parameter = "payloads=s3:";
  const std::size_t at = url.find(parameter);
  if (at == url.npos || at == 0 || (url[at - 1] != '?' && url[at - 1] != '&')) return;
  if (factories.contains("")) return;
  throw Error(Errc::bad_option,
              {.what = "this program cannot keep large values in S3",
               .kept = "nothing was changed",
               .next = "use one that opens stores with resumable::with_s3_payloads()"});
}

}  // namespace

std::string without_password(std::string_view url) {
  std::string shown{url};
  const std::size_t begin = shown.find("://");
  if (begin != shown.npos) {
    // A password may have unescaped slashes and `@` in it: better too much is left out.
    const std::size_t at = shown.rfind('@');
    const std::size_t colon = shown.find(':', begin + 3);
    if (at != shown.npos && colon < at) shown.erase(colon, at - colon);
  }
  constexpr std::string_view key = "password=";  // and sslpassword
  for (std::size_t found = 0; (found = shown.find(key, found)) != shown.npos;) {
    found += key.size();
    shown.erase(found, shown.find('&', found) - found);
  }
  return shown;
}

std::unique_ptr<CheckpointStore> open_store(std::string_view url, const StoreFactories& factories,
                                            CreateStore create) {
  refuse_payloads(url, factories);
  const std::string scheme = scheme_of(url);
  if (const auto found = factories.find(scheme); found != factories.end()) {
    if (auto store = found->second(url, create)) return store;
    throw Error(Errc::bad_option,
                {.what = fmt::format("'{}' names no store", core::printable(without_password(url))),
                 .next = "see docs/stores.md for the form of its URL"});
  }
  if (scheme.empty()) return open_folder(url, FolderKind::as_it_says, create);
  const std::string_view path = url.substr(scheme.size() + 1);
  if (scheme == "file") return open_folder(path, FolderKind::files, create);
  if (scheme == "journal") return open_folder(path, FolderKind::journal, create);
  unknown_scheme(url, scheme, factories);
}

}  // namespace v0
}  // namespace resumable
