// Any one of a store's own files is damaged or gone, in runs whose stages write one file in turn:
// the next call ends with the right values, or it asks. What a later stage wrote is never taken for
// a user's edit of what an earlier one made.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crash/damaged.hpp"
#include "crash/draft_run.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* run_folder = "store/r1";

// ---- what happens to a file --------------------------------------------------------------------

std::vector<Harm> harms(std::uint64_t size, int places) {
  std::vector<Harm> all;
  all.push_back({"removed", [](const fs::path& file) { fs::remove(file); }});
  for (int i = 0; i < places; ++i) {
    const std::uint64_t at =
        size * static_cast<std::uint64_t>(i) / static_cast<std::uint64_t>(places);
    const std::string place = " at " + std::to_string(at) + " of " + std::to_string(size);
    all.push_back({"cut" + place, [at](const fs::path& file) { fs::resize_file(file, at); }});
    all.push_back({"zeros" + place, [at](const fs::path& file) {
                     std::string bytes = read_file(file);
                     std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), '\0');
                     write_file(file, bytes);
                   }});
    all.push_back({"a bit flipped" + place, [at](const fs::path& file) {
                     std::string bytes = read_file(file);
                     if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 4);
                     write_file(file, bytes);
                   }});
  }
  return all;
}

/// Chapters that are appended to one file, which users may edit, and a file that is made of them.
struct Book {
  std::vector<std::string> titles{"a", "b"};
  std::string words = "one";

  Report run(CheckpointStore& store, const fs::path& folder) const {
    Pipeline p{"book"};
    const auto list = p.input("titles", titles);
    const auto said = p.input("words", words);
    const auto chapters = p.stage("chapters", inputs(each(list), said),
                                  [](const std::string& title, const std::string& with) {
                                    return Text{"# " + title + "\n" + with + "\n"};
                                  });
    const auto whole = p.stage("whole", inputs(chapters), [](const std::vector<Text>& all) {
      std::string text;
      for (const Text& one : all) text += one.text;
      return Text{text};
    });
    p.append(chapters, "book.md", &Text::text, [](const std::string& text) {
      if (!text.starts_with("# ")) throw std::invalid_argument("a chapter begins with '# '");
      return Text{text};
    });
    p.artifact(whole, "whole.md");
    return resume(p, store, {.run = "r1", .artifact_folder = folder});
  }
};

using Artifacts = std::map<std::string, std::string>;

class DamagedStore : public ::testing::TestWithParam<StoreKind> {
 protected:
  template <class Work>
  Report with_store(const fs::path& root, const Work& work) const {
    const auto store = GetParam().open(root / "store");
    return work(*store, GetParam().has_folder ? fs::path{} : root / run_folder);
  }
  [[nodiscard]] Report run(DraftRun what, const fs::path& root) const {
    return with_store(root, [&](CheckpointStore& store, const fs::path& folder) {
      what.folder = folder;
      return what.run(store, Journal{root / "log"});
    });
  }
  [[nodiscard]] Report run(const Book& what, const fs::path& root) const {
    return with_store(root, [&](CheckpointStore& store, const fs::path& folder) {
      return what.run(store, folder);
    });
  }

  /// Damages each of the library's own files below `finished` in each way, and resumes.
  /// `check(root)` judges what a call left that ended well.
  template <class Run, class Check>
  void expect_right_or_asked(const Run& what, const fs::path& finished, const Check& check) {
    int right = 0;
    for (const auto& entry : fs::recursive_directory_iterator{finished / "store"}) {
      const std::string name = fs::relative(entry.path(), finished).string();
      const bool own = name.find(".resumable/") != name.npos || name.find("s.db") != name.npos;
      if (!entry.is_regular_file() || !own) continue;
      for (const Harm& one : harms(entry.file_size(), places())) {
        const TempFolder folder;
        fs::copy(finished, folder.path(), fs::copy_options::recursive);
        one.act(folder / name);
        SCOPED_TRACE(name + ": " + one.what);
        try {
          if (run(what, folder.path()).exit_code() != 0) continue;
        } catch (const Error&) {
          continue;  // it refuses, or fails
        }
        ++right;
        check(folder.path());
      }
    }
    EXPECT_GT(right, 0);
  }
};

const DraftRun zero{.words = "zero", .items = {"a", "b"}};
const DraftRun one{.words = "one", .items = {"a", "b"}};

TEST_P(DamagedStore, WithOneFileDamagedEndsWithTheRightValuesOrAsks) {
  const auto expected = undisturbed(one);
  for (const bool again : {false, true}) {
    const TempFolder finished;
    if (again) {
      ASSERT_EQ(run(zero, finished.path()).exit_code(), 0);
    }
    ASSERT_EQ(run(one, finished.path()).exit_code(), 0);
    expect_right_or_asked(one, finished.path(), [&](const fs::path& root) {
      EXPECT_EQ(artifacts(root / run_folder), expected);
    });
  }
}

TEST_P(DamagedStore, WithOneFileDamagedTakesAnEditForWhatItIsOrKeepsIt) {
  const std::string mine = "mine\n";
  const auto without = undisturbed(one);
  auto with = without;
  with["parts/01-a.md"] += mine;
  with["whole.md"].insert(without.at("parts/01-a.md").size(), mine);
  for (const bool again : {false, true}) {
    const TempFolder finished;
    if (again) {
      ASSERT_EQ(run(zero, finished.path()).exit_code(), 0);
    }
    ASSERT_EQ(run(one, finished.path()).exit_code(), 0);
    write_file(finished / "store/r1/parts/01-a.md", with["parts/01-a.md"]);
    expect_right_or_asked(one, finished.path(), [&](const fs::path& root) {
      const auto left = artifacts(root / run_folder);
      if (left == with) return;
      EXPECT_EQ(left, without);
      EXPECT_THAT(texts_in(root / run_folder / ".resumable/removed"),
                  ::testing::Contains(with["parts/01-a.md"]));
    });
  }
}

TEST_P(DamagedStore, WithOneFileDamagedTakesNoAppendedTextForAnEdit) {
  for (const Book& before : {Book{.titles = {"a"}}, Book{.words = "zero"}}) {
    const Book wanted;
    const TempFolder undamaged;
    ASSERT_EQ(run(wanted, undamaged.path()).exit_code(), 0);
    const TempFolder finished;
    ASSERT_EQ(run(before, finished.path()).exit_code(), 0);
    ASSERT_EQ(run(wanted, finished.path()).exit_code(), 0);
    expect_right_or_asked(wanted, finished.path(), [&](const fs::path& root) {
      EXPECT_EQ(artifacts(root / run_folder), artifacts(undamaged / run_folder));
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, DamagedStore, ::testing::ValuesIn(store_kinds()),
                         [](const auto& test) { return std::string{test.param.name}; });

}  // namespace
}  // namespace resumable::test
