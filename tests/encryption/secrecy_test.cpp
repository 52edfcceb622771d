// Nothing that a program gives the library can be read on the disk, and a run goes on after a kill.
#include <csignal>

#include <gmock/gmock.h>

#include "encryption/sealed.hpp"
#include "resumable/manage.hpp"
#include "resumable/run_list.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

const std::string canary = "xyzzy";

std::string with_canary(std::string_view text) { return canary + "-" + std::string{text}; }

/// Wherever the library takes a text from a program, the canary is in it.
struct Secrets {
  explicit Secrets(bool fails) {
    const auto input = pipeline.input("xyzzy-input", with_canary("value"));
    const auto list = pipeline.stage("xyzzy-list", inputs(input), [](Context& ctx, const auto& in) {
      const auto kept = ctx.step("xyzzy-step", [&] { return in + with_canary("kept"); });
      const auto cached =
          ctx.cached("xyzzy-cache", with(kept), [&] { return with_canary("cached"); });
      return Strings{with_canary("item"), kept, cached,
                     with_canary("A very long KEY: " + std::string(300, 'K'))};
    });
    const auto page = pipeline.stage("xyzzy-page", inputs(each(list)), [](const std::string& one) {
      return Text{one + std::string(2'500'000, '.') + canary};
    });
    last.emplace(pipeline.stage({.name = "xyzzy-last", .retry = {.attempts = 2}}, inputs(page),
                                [fails](const std::vector<Text>& all) {
                                  if (fails)
                                    throw std::runtime_error(with_canary("the provider is away"));
                                  return with_canary(all.at(0).text.substr(0, 10));
                                }));
    pipeline.artifact(*last, "xyzzy-last.json");
  }
  Report run(CheckpointStore& store, const std::filesystem::path& out) const {
    return resume(pipeline, store,
                  {.run = "r", .labels = {{"for", canary}}, .artifact_folder = out.string()});
  }
  Pipeline pipeline{"xyzzy-pipeline"};
  std::optional<Stage<std::string>> last;
};

/// Where the canary is: in the name or in the bytes of a file.
std::string found_in(const std::filesystem::path& folder) {
  std::string found;
  for (const auto& [name, bytes] : snapshot(folder)) {
    const bool in_name = name.find(canary) != name.npos;
    if (in_name || bytes.find(canary) != bytes.npos) found += " " + name;
  }
  return found;
}

class Secrecy : public ::testing::TestWithParam<Below> {
 protected:
  [[nodiscard]] std::unique_ptr<EncryptedStore> store(
      std::optional<EncryptionKeys> with = {}) const {
    return encrypted(GetParam(), folder / "store", std::move(with));
  }
  TempFolder folder;
};

TEST_P(Secrecy, ACanaryIsNowhereOnTheDisk) {
  const auto use = [&](CheckpointStore& with, const std::string& out) {
    EXPECT_FALSE(Secrets{true}.run(with, folder / out));
    const Secrets good{false};
    const Report report = good.run(with, folder / out);
    ASSERT_TRUE(report) << report.text();
    EXPECT_EQ(report[*good.last], "xyzzy-xyzzy-item");
    tag_run(with, "r", "xyzzy-tag");
    EXPECT_EQ(list_runs(with).at(0).pipeline, "xyzzy-pipeline");
  };
  use(*store(), "out");
  EXPECT_EQ(found_in(folder / "store"), "");
  EXPECT_THAT(read_file(folder / "out/xyzzy-last.json"), HasSubstr(canary)) << "for people";
  const auto plain = next_store(GetParam(), folder / "plain");
  use(*plain, "plain-out");
  EXPECT_NE(found_in(folder / "plain"), "") << "the search finds what is there";
}

TEST_P(Secrecy, ArtifactsGoIntoTheFolderOfTheStoreOnlyWhenTheHostSaysSo) {
  EXPECT_EQ(store()->capability<ArtifactFolder>(), nullptr);
  const auto open = encrypted(GetParam(), folder / "store", {}, {.plaintext_artifacts = true});
  EXPECT_NE(open->capability<ArtifactFolder>(), nullptr);
  EXPECT_THAT(open->warnings(), ::testing::Contains(HasSubstr("not encrypted")));
}

TEST_P(Secrecy, ALargeValueThatWasChangedIsMadeAgain) {
  const Secrets program{false};
  ASSERT_TRUE(program.run(*store(), folder / "out"));
  std::filesystem::path largest;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "store")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".ckpt") && !name.ends_with(".value")) continue;
    if (largest.empty() || entry.file_size() > std::filesystem::file_size(largest)) {
      largest = entry.path();
    }
  }
  ASSERT_FALSE(largest.empty())
      << "a journal keeps values of more than 2 MiB in files of their own";
  std::string bytes = read_file(largest);
  bytes[bytes.size() / 2] ^= 1;
  write_file(largest, bytes);
  const auto again = store();
  EXPECT_FALSE(verify_run(*again, "r").ok());
  const Report report = resume(program.pipeline, *again,
                               {.run = "r",
                                .verify_payloads = true,
                                .labels = {{"for", canary}},
                                .artifact_folder = (folder / "out").string()});
  EXPECT_TRUE(report) << report.text();
  EXPECT_TRUE(verify_run(*again, "r").ok());
}

TEST_P(Secrecy, ARunKeepsTheKeyItBeganWith) {
  testing::commit(*store(keys("a", 'a'))->lease("old"), "draft", 1, "of a");
  const auto both = store(keys("ab", 'b'));
  testing::commit(*both->lease("old"), "draft", 2, "of a, too");
  testing::commit(*both->lease("new"), "draft", 1, "of b");
  EXPECT_EQ(testing::payload(*store(keys("a", 'a')), "old", {"draft", 2}), "of a, too");
  EXPECT_EQ(testing::payload(*store(keys("b", 'b')), "new", {"draft", 1}), "of b");
  EXPECT_EQ(code_of([&] {
              static_cast<void>(store(keys("b", 'b'))->get("old", {"draft", 1}));
            }),
            Errc::unreadable);
}

TEST_P(Secrecy, ACopyHasTheCurrentKey) {
  ASSERT_TRUE(Secrets{false}.run(*store(keys("a", 'a')), folder / "out"));
  const auto copies = encrypted(GetParam(), folder / "copies", keys("b", 'b'));
  copy_run(*store(keys("a", 'a')), "r", *copies, "copy");
  EXPECT_TRUE(verify_run(*copies, "copy").ok());
  EXPECT_EQ(found_in(folder / "copies"), "");
}

TEST_P(Secrecy, NamesAndHeadersOfAnyLengthAreKept) {
  const auto name = [](char c) {
    return "@step/" + std::string(220, c) + "/" + std::string(220, c);
  };
  const std::string header = "{\"" + std::string(65'000, 'h') + "\":1}";
  {
    const auto lease = store()->lease("r");
    for (const char c : {'b', 'a'}) {
      const StringPayload value{"value"};
      const std::string path = name(c);
      const Put put{{path, 1}, testing::tag_of(1), header, &value};
      lease->commit({.puts = {&put, 1}, .erases = {}});
    }
  }
  const auto reader = store();
  EXPECT_EQ(reader->get("r", {name('a'), 1})->header, header);
  std::vector<std::string> found;
  reader->scan("r", {.prefix = "@step/a", .headers = true}, [&](const RecordHead& head) {
    found.emplace_back(head.id.path);
    EXPECT_EQ(head.header, header);
    EXPECT_EQ(head.payload_bytes, 5U);
    return true;
  });
  EXPECT_EQ(found, Strings{name('a')});
}

TEST_P(Secrecy, KilledAnywhereARunGoesOn) {
  for (int kill_at = 1; kill_at <= 6; ++kill_at) {
    const auto place = folder / std::to_string(kill_at);
    const auto made = [&](CheckpointStore& with, const Tally& tally, int dies_at) {
      Pipeline pipeline{"counting"};
      int calls = 0;
      const auto in_body = [&](const std::string& name) {
        tally(name);
        if (++calls == dies_at) ::raise(SIGKILL);
      };
      const auto list = pipeline.stage("list", [&] {
        in_body("list");
        return Strings{"one", "two", "three"};
      });
      const auto item = pipeline.stage("item", inputs(each(list)), [&](const std::string& one) {
        in_body(one);
        return one + std::string(300'000, '.');
      });
      const auto sum =
          pipeline.stage("sum", inputs(item), [&](const std::vector<std::string>& all) {
            in_body("sum");
            return all.at(0).size() + all.at(1).size() + all.at(2).size();
          });
      const Report report = resume(pipeline, with, {.run = "r", .concurrency = 1});
      return report ? report[sum] : 0;
    };
    const Tally tally{folder / ("calls" + std::to_string(kill_at))};
    ChildProcess child{[&] {
      const auto with = encrypted(GetParam(), place);
      return made(*with, tally, kill_at) == 0 ? 1 : 0;
    }};
    const bool dies = kill_at <= 5;
    ASSERT_EQ(child.wait(), dies ? (Ended{-1, SIGKILL}) : (Ended{0, 0}));
    const auto with = encrypted(GetParam(), place);
    EXPECT_EQ(made(*with, tally, 0), 900'011U);
    int calls = 0;
    for (const auto& [name, count] : tally.counts()) calls += count;
    EXPECT_EQ(calls, dies ? 6 : 5) << "what was running alone is done again";
  }
}

TEST_P(Secrecy, AProgramWithoutTheStoreRefusesTheRunAndWritesNothing) {
  ASSERT_TRUE(Secrets{false}.run(*store(), folder / "out"));
  const auto before = snapshot(folder.path());
  const auto plain = next_store(GetParam(), folder / "store");
  const std::string said = explained([&] {
    const Report report = Secrets{false}.run(*plain, folder / "out");
    if (report.error() != nullptr) throw Error(*report.error());
  });
  EXPECT_THAT(said, HasSubstr("encrypted with the key 'key-a'"));
  EXPECT_EQ(code_of([&] { static_cast<void>(verify_run(*plain, "r")); }), Errc::foreign);
  EXPECT_EQ(list_runs(*plain).at(0).error->errc(), Errc::foreign);
  EXPECT_EQ(changes(before, snapshot(folder.path())), "") << "every byte is kept";
}

INSTANTIATE_TEST_SUITE_P(On, Secrecy, ::testing::Values(Below::files, Below::journal),
                         [](const auto& test) { return std::string{name_of(test.param)}; });

TEST(EncryptedUrl, OpensTheStoreBelow) {
  const TempFolder folder;
  const StoreFactories factories = with_encryption(keys());
  const std::string url = "encrypted+journal:" + (folder / "runs").string();
  const auto store = open_store(url, factories, CreateStore::if_absent);
  testing::commit(*store->lease("r"), "draft", 1, "value");
  EXPECT_EQ(store->url(), url);
  EXPECT_EQ(testing::payload(*open_store(url, factories), "r", {"draft", 1}), "value");
  EXPECT_EQ(code_of([&] { static_cast<void>(open_store("encrypted+none:x", factories)); }),
            Errc::bad_option);
}

TEST(EncryptionKeyTest, HasThirtyTwoBytesAndAnIdThatIsShort) {
  EXPECT_EQ(code_of([] { EncryptionKey{"a password"}; }), Errc::bad_option);
  EXPECT_NE(EncryptionKey::random().bytes(), EncryptionKey::random().bytes());
  MemoryStore memory;
  for (const char* id : {"", "my key", "longer-than-twenty-four-characters"}) {
    EncryptionKeys bad = keys();
    bad.current = id;
    EXPECT_EQ(code_of([&] { EncryptedStore(memory, bad); }), Errc::bad_option) << id;
  }
}

}  // namespace
}  // namespace resumable::test
