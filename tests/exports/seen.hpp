/// @file
/// What a person sees of a run on a disk of a test.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manage/broken.hpp"

namespace resumable::test {

/// The files of a folder, without those in folders below it; none where there is no such folder.
[[nodiscard]] inline std::map<std::string, std::string> files_of(const Stores& stores,
                                                                 const std::string& below) {
  sys::FileSystem& files = stores.files();
  std::map<std::string, std::string> all;
  sys::File folder;
  std::vector<sys::Entry> entries;
  if (files.open_root(stores.folder() + "/s/r" + below, folder)) return all;
  EXPECT_FALSE(files.list(folder, entries));
  for (const sys::Entry& entry : entries) {
    if (entry.kind != sys::Kind::file) continue;
    sys::File file;
    EXPECT_FALSE(files.open(folder, entry.name, sys::Open::read, file)) << entry.name;
    EXPECT_FALSE(sys::read_pieces(files, file, [&](std::string_view piece) {
      all[entry.name] += piece;
      return std::error_code{};
    }));
  }
  return all;
}

/// What a person sees: the artifacts, and which texts were set aside.
using Seen = std::pair<std::map<std::string, std::string>, std::set<std::string>>;

[[nodiscard]] inline Seen seen(const Stores& stores) {
  Seen result{files_of(stores, ""), {}};
  for (auto& [name, text] : files_of(stores, "/.resumable/removed")) result.second.insert(text);
  return result;
}

}  // namespace resumable::test
