// A large value of bytes or text is in memory once: it is stored from where it is.
#include <deque>

#include "resumable/forwarding_store.hpp"
#include "resumable/journal_store.hpp"
#include "run/run_support.hpp"
#include "support/memory.hpp"
#include "support/temp_folder.hpp"
#include "sys/forwarding_file_system.hpp"
#include "value/redaction.hpp"

namespace resumable::test {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20U;

/// Notes how much memory is in use while the store reads a payload.
class Watched final : public Payload {
 public:
  Watched(const Payload& next, std::size_t& most) : next_(next), most_(most) {}
  [[nodiscard]] std::uint64_t size() const override { return next_.size(); }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    most_ = std::max(most_, allocated_bytes());
    return next_.read(at, to);
  }
  [[nodiscard]] std::optional<std::string_view> view() const override { return next_.view(); }

 private:
  const Payload& next_;
  std::size_t& most_;
};

class WatchedLease final : public ForwardingLease {
 public:
  WatchedLease(std::unique_ptr<Lease> next, std::size_t& most)
      : ForwardingLease(std::move(next)), most_(most) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    most_ = std::max(most_, allocated_bytes());
    std::deque<Watched> watched;
    std::vector<Put> puts{batch.puts.begin(), batch.puts.end()};
    for (Put& put : puts) put.payload = &watched.emplace_back(*put.payload, most_);
    return next().commit({puts, batch.erases}, options);
  }
  [[nodiscard]] bool do_supports_seal() const noexcept override { return true; }

  std::size_t& most_;
};

class WatchedStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::size_t most = 0;  ///< bytes in use at a time

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<WatchedLease>(next().lease(run, request), most);
  }
};

template <class Store>
std::size_t most_for_a_value_of(std::size_t size) {
  const TempFolder folder;
  Store next{folder / "store"};
  WatchedStore store{next};
  Bytes made{std::string(size, 'x')};
  Pipeline pipeline{"p"};
  const auto value = pipeline.stage("value", [&] { return std::move(made); });
  pipeline.stage("reader", inputs(value), [&](const Bytes& all) { return all.bytes.size(); });
  const std::size_t before = allocated_bytes();
  const Report report = resume(pipeline, store, {.run = "r"});
  EXPECT_TRUE(report) << report.text();
  const Report again = resume(pipeline, store, {.run = "r"});
  EXPECT_EQ(again[value].bytes, std::string(size, 'x'));
  return store.most - std::min(store.most, before);
}

TEST(LargeValues, AreNotCopiedInAFileStore) {
  EXPECT_LT(most_for_a_value_of<FileStore>(64 * mib), 4 * mib);
}

TEST(LargeValues, AreNotCopiedInAJournal) {
  EXPECT_LT(most_for_a_value_of<JournalStore>(64 * mib), 4 * mib);
}

/// Counts the bytes with which the disk was told to begin.
class BegunEarly final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;
  void begin_sync(const sys::File& file, std::uint64_t at, std::uint64_t size) noexcept override {
    bytes += size;
    ForwardingFileSystem::begin_sync(file, at, size);
  }
  std::uint64_t bytes = 0;
};

template <class Store, class Options>
std::uint64_t begun_early_for_a_value_of(std::size_t size, Options (*options)(sys::FileSystem&)) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  BegunEarly files{*posix};
  Store store{folder / "store", options(files)};
  Pipeline pipeline{"p"};
  pipeline.stage("value", [&] { return Bytes{std::string(size, 'x')}; });
  EXPECT_TRUE(resume(pipeline, store, {.run = "r"}));
  return files.bytes;
}

TEST(LargeValues, AreOnTheirWayToTheDiskBeforeTheyAreWhole) {
  const auto folder = [](sys::FileSystem& files) { return FileStoreOptions{.files = &files}; };
  const auto log = [](sys::FileSystem& files) {
    return JournalStoreOptions{.folder = {.files = &files}};
  };
  EXPECT_GE((begun_early_for_a_value_of<FileStore, FileStoreOptions>(32 * mib, folder)), 24 * mib);
  EXPECT_GE((begun_early_for_a_value_of<JournalStore, JournalStoreOptions>(32 * mib, log)),
            24 * mib);
}

TEST(LargeValues, OfTextThatStepsGiveAreHandedOnAsTheyAre) {
  const TempFolder folder;
  JournalStore store{folder / "store"};
  Pipeline pipeline{"p"};
  const char* made = nullptr;
  const char* handed_on = nullptr;
  const auto stage = pipeline.stage("value", [&](Context& ctx) {
    const std::string text = ctx.step("text", [&] {
      std::string letters(mib, 't');
      made = letters.data();
      return letters;
    });
    handed_on = text.data();
    return text;
  });
  const Report report = resume(pipeline, store, {.run = "r"});
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(handed_on, made) << "neither copied nor decoded from its bytes";
  EXPECT_EQ(report[stage], std::string(mib, 't'));
}

template <class T>
std::shared_ptr<const Payload> encoded(const detail::AnyValue& value) {
  const detail::Graph graph;
  return value::encode(graph, detail::value_type<T>(), value);
}

TEST(LargeValues, AreReadFromTheValueItself) {
  auto bytes = std::make_shared<const Bytes>(Bytes{std::string(2 * mib, 'b')});
  const std::weak_ptr<const Bytes> watched = bytes;
  const auto payload = encoded<Bytes>(std::move(bytes));
  EXPECT_FALSE(watched.expired()) << "the payload owns the value";
  EXPECT_EQ(read_all(*payload), std::string(2 * mib, 'b'));
  std::string rest(10, '\0');
  EXPECT_EQ(payload->read(2 * mib - 3, rest), 3U);
  EXPECT_EQ(payload->read(2 * mib, rest), 0U);
  EXPECT_TRUE(encoded<Bytes>(std::make_shared<const Bytes>(Bytes{"small"}))->view());
}

TEST(LargeValues, OfTextAreStillUtf8) {
  const auto bad = std::make_shared<const Text>(Text{std::string(2 * mib, '\xff')});
  EXPECT_THROW(static_cast<void>(encoded<Text>(bad)), Error);
  const auto good = std::make_shared<const Text>(Text{std::string(2 * mib, 't')});
  EXPECT_EQ(read_all(*encoded<Text>(good)), good->text);
}

/// Notes where its bytes were wanted.
class NotingPayload final : public Payload {
 public:
  [[nodiscard]] std::uint64_t size() const override { return 2 * mib; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at == 0) first_ = to.data();
    std::fill(to.begin(), to.end(), 'n');
    return to.size();
  }
  mutable const char* first_ = nullptr;
};

TEST(LargeValues, AreReadIntoTheValueItself) {
  const auto payload = std::make_shared<const NotingPayload>();
  const auto bytes = detail::value_type<Bytes>().decode(payload, 1);
  EXPECT_EQ(static_cast<const Bytes*>(bytes.get())->bytes.data(), payload->first_);
  const auto text = detail::value_type<Text>().decode(payload, 1);
  EXPECT_EQ(static_cast<const Text*>(text.get())->text.data(), payload->first_);
}

}  // namespace
}  // namespace resumable::test
