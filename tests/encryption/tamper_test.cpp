// What was changed, moved or never encrypted is refused, and each with its own error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encryption/chunks.hpp"
#include "encryption/sealed.hpp"
#include "encryption/tampering.hpp"
#include "resumable/error.hpp"
#include "support/slow_store.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

std::optional<Error> error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// `draft` and `notes` in the run `r`.
class Tampered : public ::testing::Test {
 protected:
  Tampered() {
    const auto lease = store.lease("r");
    testing::commit(*lease, "draft", 1, "the value of draft");
    testing::commit(*lease, "notes", 1, "the value of notes");
  }
  [[nodiscard]] std::optional<Error> get(const CheckpointStore& from, std::string_view path) const {
    return error_of([&] { static_cast<void>(from.get("r", {path, 1})); });
  }

  MemoryStore memory;
  TamperingStore between{memory};
  EncryptedStore store{between, keys()};
};

TEST(EncryptedReading, ManyRecordsAreReadInOneCall) {
  MemoryStore memory;
  SlowStore slow{memory};
  EncryptedStore store{slow, keys()};
  EXPECT_EQ(calls_to_read_many(slow, store), 1);
}

TEST_F(Tampered, EachFlippedBitIsRefused) {
  ASSERT_EQ(testing::payload(store, "r", {"draft", 1}), "the value of draft");
  const std::size_t draft_tag = 64;
  for (std::size_t bit = 0;; ++bit) {
    bool flipped = false;
    between.change = [&](std::string_view, StoredRecord& record) { flipped = flip(record, bit); };
    EncryptedStore fresh{between, keys()};
    const auto error = get(fresh, "draft");
    if (!flipped) break;
    ASSERT_TRUE(error) << "bit " << bit;
    ASSERT_TRUE(error->errc() == Errc::damaged || bit / 8 < draft_tag) << "bit " << bit;
    // With its key known, a scan reports the record and goes on.
    const auto damage = [&] {
      std::size_t count = 0;
      store.scan("r", {}, [&](const RecordHead& head) {
        count += head.damage == Damage::none ? 0U : 1U;
        return true;
      });
      return count;
    };
    const std::size_t in_head = 64 + 16;
    if (bit / 8 >= draft_tag && bit / 8 < in_head) {
      ASSERT_EQ(damage(), 2U) << "bit " << bit;
    }
  }
}

TEST_F(Tampered, EachFlippedBitOfAFolderIsRefused) {
  const TempFolder folder;
  testing::commit(*encrypted(Below::files, folder.path())->lease("r"), "draft", 1, "the value");
  for (const auto& [name, bytes] : snapshot(folder.path())) {
    if (!name.ends_with(".ckpt")) continue;
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      std::string changed = bytes;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      write_file(folder / name, changed);
      const auto reader = encrypted(Below::files, folder.path());
      ASSERT_TRUE(get(*reader, "draft")) << name << ", bit " << bit;
    }
    write_file(folder / name, bytes);
  }
  EXPECT_EQ(testing::payload(*encrypted(Below::files, folder.path()), "r", {"draft", 1}),
            "the value");
}

TEST_F(Tampered, ARecordInThePlaceOfAnotherIsForeign) {
  std::vector<std::string> paths;
  memory.scan("r", {}, [&](const RecordHead& head) {
    paths.emplace_back(head.id.path);
    return true;
  });
  ASSERT_EQ(paths.size(), 2U);
  between.redirect = [&](std::string_view path) { return path == paths[0] ? paths[1] : paths[0]; };
  const auto error = get(store, "draft");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc(), Errc::foreign);
  EXPECT_THAT(error->what(), HasSubstr("was moved here: it is 'notes', generation 1, of run 'r'"));
  std::size_t foreign = 0;
  store.scan("r", {.headers = true}, [&](const RecordHead& head) {
    foreign += head.damage == Damage::foreign ? 1U : 0U;
    return true;
  });
  EXPECT_EQ(foreign, 2U);
}

TEST_F(Tampered, ARecordThatIsNotEncryptedIsForeign) {
  std::string draft;  // as the next store calls it
  EXPECT_TRUE(store.get("r", {"draft", 1}));
  between.change = [&](std::string_view path, StoredRecord&) { draft = path; };
  EXPECT_TRUE(store.get("r", {"draft", 1}));
  between.change = [&](std::string_view path, StoredRecord& record) {
    if (path != draft) return;
    record = {.tag = testing::tag_of(1),
              .header = "{}",
              .payload = std::make_shared<const StringPayload>("not secret")};
  };
  const auto error = get(store, "draft");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc(), Errc::foreign);
  EXPECT_THAT(error->what(), HasSubstr("the record 'draft' of run 'r' is not encrypted"));
  EXPECT_FALSE(get(store, "notes"));
}

TEST_F(Tampered, ARunThatIsNotEncryptedIsForeign) {
  testing::commit(*memory.lease("plain"), "draft", 1, "not secret");
  const auto error = error_of([&] { static_cast<void>(store.get("plain", {"draft", 1})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc(), Errc::foreign);
  EXPECT_THAT(error->what(), HasSubstr("run 'plain' is not encrypted"));
  EXPECT_TRUE(error_of([&] { static_cast<void>(store.lease("plain")); })) << "nor written to";
}

TEST_F(Tampered, ARecordThatSomebodyAddsWithoutTheKeyIsForeign) {
  testing::commit(*memory.lease("r"), "verdict", 1, "{\"good\":true}");
  std::string found;
  store.scan("r", {}, [&](const RecordHead& head) {
    if (head.damage == Damage::foreign) found = head.id.path;
    return true;
  });
  EXPECT_EQ(found, "verdict");
  EXPECT_FALSE(store.get("r", {"verdict", 1}));
}

TEST_F(Tampered, ADamagedRecordStillHasItsName) {
  const std::string name = "page/" + std::string(220, 'n');
  testing::commit(*store.lease("r"), name, 1, "the value of a page");
  between.change = [](std::string_view path, StoredRecord& record) {
    if (path.find('~') != path.npos) flip(record, (sizeof(Tag::raw) + 100) * 8);
  };
  EXPECT_EQ(get(store, name)->errc(), Errc::damaged);
  std::vector<std::string> damaged;
  store.scan("r", {}, [&](const RecordHead& head) {
    if (head.damage == Damage::torn) damaged.emplace_back(head.id.path);
    return true;
  });
  EXPECT_EQ(damaged, std::vector<std::string>{name}) << "its generation is not used again";
}

TEST_F(Tampered, ARunThatBeginsAgainHasTheCurrentKey) {
  EncryptedStore writer{memory, keys("ab", 'b')};
  EXPECT_TRUE(writer.get("r", {"draft", 1}));
  store.remove("r");
  testing::commit(*writer.lease("r"), "draft", 1, "of b");
  EXPECT_EQ(testing::payload(writer, "r", {"draft", 1}), "of b");
  EXPECT_EQ(testing::payload(EncryptedStore{memory, keys("b", 'b')}, "r", {"draft", 1}), "of b");
}

TEST_F(Tampered, AnotherKeyOfTheSameIdIsNamed) {
  EncryptionKeys others = keys();
  others.find = [](std::string_view) { return std::optional{key_of('z')}; };
  const EncryptedStore other{between, others};
  const auto error = get(other, "draft");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc(), Errc::unreadable);
  EXPECT_THAT(error->what(), HasSubstr("the key that this program has as 'key-a' is not the one"));
}

TEST_F(Tampered, AMissingKeyIsNamed) {
  const EncryptedStore other{between, keys("b", 'b')};
  const auto error = get(other, "draft");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc(), Errc::unreadable);
  EXPECT_THAT(error->what(), HasSubstr("encrypted with the key 'key-a', which this program does"));
}

TEST_F(Tampered, AManifestThatWasChangedSaysNothing) {
  store.lease("r")->manifest(R"({"status":"done"})");
  const std::string sealed = *memory.manifest("r");
  EXPECT_EQ(store.manifest("r"), R"({"status":"done"})");
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    std::string changed = sealed;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    memory.lease("r")->manifest(changed);
    std::optional<std::string> read;
    const auto error = error_of([&] { read = store.manifest("r"); });
    ASSERT_TRUE(error || read == "") << "bit " << bit;
  }
  memory.lease("r")->manifest(R"({"status":"done"})");
  EXPECT_EQ(store.manifest("r"), "");
}

/// What the chunks of a large payload say once `change` was at them.
std::optional<Errc> reading(const std::function<void(std::string&)>& change) {
  const encryption::Key key;
  const std::string value(4 * encryption::small_bytes, 'v');
  const StringPayload plain{value};
  std::string bytes = read_all(*encryption::seal_payload(key, "", plain));
  change(bytes);
  const auto error = error_of([&] {
    const auto sealed = std::make_shared<const StringPayload>(bytes);
    EXPECT_EQ(read_all(*encryption::open_payload(key, 0, value.size(), sealed)), value);
  });
  return error ? std::optional{error->errc()} : std::nullopt;
}

TEST(SealedChunks, AreReadInTheirOrderAndWhole) {
  constexpr std::size_t chunk = encryption::chunk_bytes + encryption::gcm_tag;
  EXPECT_EQ(reading([](std::string&) {}), std::nullopt);
  EXPECT_EQ(reading([](std::string& bytes) { bytes[5 * chunk] ^= 1; }), Errc::damaged);
  EXPECT_EQ(reading([](std::string& bytes) {
              std::swap_ranges(bytes.begin(), bytes.begin() + chunk, bytes.begin() + chunk);
            }),
            Errc::damaged);
  EXPECT_EQ(reading([](std::string& bytes) { bytes.resize(bytes.size() - chunk); }), Errc::damaged);
  EXPECT_EQ(reading([](std::string& bytes) { bytes.replace(0, chunk, bytes, chunk, chunk); }),
            Errc::damaged);
}

TEST(SealedChunks, TheLastOneIsKnownAsTheLast) {
  const encryption::Key key;
  const std::string value(8 * encryption::chunk_bytes, 'v');
  const StringPayload plain{value};
  std::string bytes = read_all(*encryption::seal_payload(key, "", plain));
  bytes.resize(bytes.size() / 2);
  const auto half = std::make_shared<const StringPayload>(bytes);
  EXPECT_TRUE(error_of([&] {
    static_cast<void>(read_all(*encryption::open_payload(key, 0, value.size() / 2, half)));
  })) << "each chunk is authentic, and the value would be shorter";
}

TEST(SealedChunks, ArePiecesOfAnySize) {
  const encryption::Key key;
  std::string value;
  for (int i = 0; i < 90'000; ++i) value += std::to_string(i) + ' ';
  const StringPayload plain{value};
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65'535},
                                 std::size_t{65'536}, std::size_t{262'145}, value.size()}) {
    const StringPayload part{value.substr(0, size)};
    const auto sealed = encryption::seal_payload(key, "front", part);
    const auto copy = std::make_shared<const StringPayload>(read_all(*sealed));
    const auto opened = encryption::open_payload(key, 5, size, copy);
    ASSERT_EQ(read_all(*opened), value.substr(0, size)) << size;
    std::string piece(1000, '\0');
    for (std::size_t at = 0; at < size; at += 30'011) {
      const std::size_t count = opened->read(at, piece);
      ASSERT_EQ(piece.substr(0, count), value.substr(at, count)) << at;
    }
    EXPECT_EQ(opened->read(size, piece), 0U);
  }
}

}  // namespace
}  // namespace resumable::test
