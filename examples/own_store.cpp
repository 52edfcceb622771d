// One idea: a complete store of your own. It keeps each run in one file, a log, to which every
// commit is appended. docs/writing-a-store.md explains it part by part.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <resumable/resumable.hpp>
#include <resumable/store_errors.hpp>
#include <resumable/testing/check_store.hpp>
#include <unistd.h>

namespace fs = std::filesystem;
namespace rs = resumable;

[[noreturn]] void fail(rs::Errc code, const std::string& what, const fs::path& file) {
  throw rs::Error(code, {.what = what,
                         .file = file.string(),
                         .cause = std::error_code{errno, std::generic_category()}});
}

// ---- the log -----------------------------------------------------------------------------------

using Id = std::pair<std::string, std::uint64_t>;  // path and generation

struct Record {
  rs::Tag tag;
  std::string header, payload;
  bool quarantined = false;
};

/// The content of a run's log.
struct Run {
  std::map<Id, Record> records;
  std::optional<std::string> manifest;
  rs::Owner owner{};             // who took the last lease
  std::uintmax_t committed = 0;  // bytes up to the end of the last commit
};

std::string read_bytes(std::istream& in, std::size_t count) {
  std::string bytes(count, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  return bytes;
}

/// One entry of a commit: `put`, `erase`, `quarantine`, `manifest` or `lease`.
struct Entry {
  std::string word;
  Id id;
  Record record;  // for a manifest: only the payload
  rs::Owner owner;
};

Entry read_entry(std::istream& in, const std::string& word) {
  Entry entry{.word = word, .id = {}, .record = {}, .owner = {}};
  std::size_t header = 0, payload = 0;
  if (word == "lease") {
    std::int64_t since = 0;
    in >> entry.owner.fence >> entry.owner.pid >> since >> entry.owner.host;
    entry.owner.since = std::chrono::sys_seconds{std::chrono::seconds{since}};
  } else if (word == "manifest") {
    in >> payload;
    in.get();  // the line feed
    entry.record.payload = read_bytes(in, payload);
  } else {
    in >> entry.id.first >> entry.id.second;
    if (word != "put") return entry;
    in >> header >> payload;
    in.get();
    const std::string tag = read_bytes(in, entry.record.tag.raw.size());
    std::transform(tag.begin(), tag.end(), entry.record.tag.raw.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    entry.record.header = read_bytes(in, header);
    entry.record.payload = read_bytes(in, payload);
  }
  return entry;
}

void apply(Entry entry, Run& run) {
  if (entry.word == "put") run.records[entry.id] = std::move(entry.record);
  if (entry.word == "erase") run.records.erase(entry.id);
  if (entry.word == "quarantine") run.records[entry.id].quarantined = true;
  if (entry.word == "manifest") run.manifest = std::move(entry.record.payload);
  if (entry.word == "lease") run.owner = entry.owner;
}

/// Returns what was committed: the entries up to the last `end`. A commit cut short has none.
Run read_log(const fs::path& log) {
  std::ifstream in{log, std::ios::binary};
  if (!in) fail(rs::Errc::unreadable, "the log cannot be read", log);
  Run run;
  std::vector<Entry> commit;
  for (std::string word; in >> word;) {
    if (word != "end") {
      commit.push_back(read_entry(in, word));
    } else if (in.get() == '\n') {
      for (Entry& entry : commit) apply(std::move(entry), run);
      commit.clear();
      run.committed = static_cast<std::uintmax_t>(in.tellg());
    }
  }
  return run;
}

// ---- the lease ---------------------------------------------------------------------------------

/// Takes or tests the lock of a log. It belongs to the descriptor, and ends with its process.
bool lock(int descriptor, int command) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (::fcntl(descriptor, command, &whole) != 0) return false;
  return command == F_OFD_SETLK || whole.l_type == F_UNLCK;
}

class LogLease final : public rs::Lease {
 public:
  LogLease(int descriptor, fs::path log, Run run)
      : Lease(run.owner.fence + 1), file_(descriptor), log_(std::move(log)), run_(std::move(run)) {
    std::string host(256, '\0');
    ::gethostname(host.data(), host.size());
    append("lease " + std::to_string(fence()) + ' ' + std::to_string(pid_) + ' ' +
           std::to_string(std::time(nullptr)) + ' ' + host.c_str() + '\n');
  }
  ~LogLease() override { ::close(file_); }

 private:
  rs::Ticket do_commit(const rs::Batch& batch, const rs::CommitOptions& /*options*/) override {
    std::string entries;
    std::map<Id, Record> news;
    for (const rs::Put& put : batch.puts) {
      const Id id{put.id.path, put.id.generation};
      const std::string payload = read_all(*put.payload);
      entries += "put " + name_of(id) + ' ' + std::to_string(put.header.size()) + ' ' +
                 std::to_string(payload.size()) + '\n';
      for (const std::byte byte : put.tag.raw) entries += static_cast<char>(byte);
      entries.append(put.header).append(payload).append("\n");
      news[id] = {};
    }
    for (const rs::RecordId id : batch.erases) {
      entries += "erase " + name_of({std::string{id.path}, id.generation}) + '\n';
    }
    const std::scoped_lock guard{mutex_};
    for (const auto& [id, record] : news) {
      if (run_.records.contains(id)) fail(rs::Errc::fenced, name_of(id) + " exists", log_);
    }
    append(entries);
    run_.records.merge(news);
    return ++tickets_;
  }

  void do_manifest(std::string_view json, const rs::Wait&) override {
    const std::scoped_lock guard{mutex_};
    append("manifest " + std::to_string(json.size()) + '\n' + std::string{json} + '\n');
  }

  std::string do_quarantine(rs::RecordId id, const rs::Wait&) override {
    const std::scoped_lock guard{mutex_};
    const std::string name = name_of({std::string{id.path}, id.generation});
    if (!run_.records.contains({std::string{id.path}, id.generation})) {
      fail(rs::Errc::store_failed, "there is no record " + name, log_);
    }
    append("quarantine " + name + '\n');
    return log_.string() + ": " + name;
  }

  static std::string name_of(const Id& id) { return id.first + ' ' + std::to_string(id.second); }

  /// Appends one commit, durably. What a crashed or failed write left behind is cut off first.
  void append(const std::string& entries) {
    if (::getpid() != pid_) fail(rs::Errc::forked, "the lease belongs to another process", log_);
    const std::string bytes = entries + "end\n";
    const auto size = static_cast<ssize_t>(bytes.size());
    const auto at = static_cast<off_t>(run_.committed);
    if (::ftruncate(file_, at) != 0 || ::pwrite(file_, bytes.data(), bytes.size(), at) != size ||
        ::fsync(file_) != 0) {
      const int error = errno;
      static_cast<void>(::ftruncate(file_, at));  // nothing changed
      errno = error;
      fail(rs::Errc::store_failed, "a commit failed", log_);
    }
    run_.committed += bytes.size();
  }

  int file_;
  fs::path log_;
  std::mutex mutex_;
  Run run_;
  pid_t pid_ = ::getpid();
  std::atomic<rs::Ticket> tickets_{0};
};

// ---- names
// ----------------------------------------------------------------------------------------

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
}

/// A run's id is any text: characters that are unsafe in a file name become %XX.
std::string file_name(std::string_view run) {
  std::ostringstream name;
  name << std::hex << std::setfill('0');
  for (const char c : run) {
    if (is_plain(c)) {
      name << c;
    } else {
      name << '%' << std::setw(2) << int{static_cast<unsigned char>(c)};
    }
  }
  return name.str();
}

std::string run_of(const std::string& name) {
  std::string run;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%') {
      run += name[i];
    } else {
      run += static_cast<char>(std::stoi(name.substr(i + 1, 2), nullptr, 16));
      i += 2;
    }
  }
  return run;
}

// ---- the store ---------------------------------------------------------------------------------

class LogStore final : public rs::CheckpointStore {
 public:
  explicit LogStore(fs::path folder) : folder_(std::move(folder)) {}

 private:
  std::unique_ptr<rs::Lease> do_lease(std::string_view run,
                                      const rs::LeaseRequest& request) override {
    const rs::StoreErrors errors{url(), run};
    const fs::path log = log_of(run);
    const bool exists = fs::exists(log);
    if (!exists && request.create == rs::Create::never) throw errors.unknown();
    if (exists && request.create == rs::Create::must) throw errors.exists();
    if (!exists) refuse_twin(run);
    fs::create_directories(folder_);
    const int only_new = request.create == rs::Create::must ? O_EXCL : 0;
    const int file = ::open(log.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | only_new, 0600);
    if (file < 0) fail(rs::Errc::store_failed, "the log cannot be opened", log);
    const auto deadline = std::chrono::steady_clock::now() + request.wait;
    while (!lock(file, F_OFD_SETLK)) {
      if (std::chrono::steady_clock::now() >= deadline || request.stop.stop_requested()) {
        ::close(file);
        throw errors.busy(read_log(log).owner);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    return std::make_unique<LogLease>(file, log, read_log(log));
  }

  void do_scan(std::string_view run, const rs::ScanOptions& what,
               rs::FunctionRef<bool(const rs::RecordHead&)> visit) const override {
    for (const auto& [id, record] : read(run).records) {
      if (!id.first.starts_with(what.prefix) || (record.quarantined && !what.quarantined)) continue;
      rs::RecordHead head{.id = {id.first, id.second}, .tag = record.tag};
      head.header_bytes = record.header.size();
      head.payload_bytes = record.payload.size();
      head.quarantined = record.quarantined;
      if (!visit(head)) return;
    }
  }

  std::optional<rs::StoredRecord> do_get(std::string_view run, rs::RecordId id,
                                         const rs::Wait& /*wait*/) const override {
    const Run found = read(run);
    const auto at = found.records.find(Id{id.path, id.generation});
    if (at == found.records.end() || at->second.quarantined) return std::nullopt;
    return rs::StoredRecord{at->second.tag, at->second.header,
                            std::make_shared<rs::StringPayload>(at->second.payload)};
  }

  void do_runs(std::string_view prefix, rs::FunctionRef<bool(std::string_view)> visit,
               const rs::Wait&) const override {
    std::vector<std::string> names;
    if (!fs::exists(folder_)) return;
    for (const fs::directory_entry& file : fs::directory_iterator{folder_}) {
      if (file.path().extension() == ".log") names.push_back(run_of(file.path().stem().string()));
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (name.starts_with(prefix) && !visit(name)) return;
    }
  }

  std::optional<rs::Owner> do_owner(std::string_view run, const rs::Wait&) const override {
    const int file = ::open(log_of(run).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    const bool free = lock(file, F_OFD_GETLK);
    ::close(file);
    if (free) return std::nullopt;
    return read(run).owner;
  }

  std::optional<std::string> do_manifest(std::string_view run, const rs::Wait&) const override {
    return read(run).manifest;
  }

  std::string do_locate(std::string_view run, rs::RecordId id) const override {
    return log_of(run).string() + ": " + std::string{id.path} + ' ' + std::to_string(id.generation);
  }

  std::string do_url() const override { return "log:" + folder_.string(); }

  fs::path log_of(std::string_view run) const { return folder_ / (file_name(run) + ".log"); }

  /// Two runs whose ids differ only in case, or in how an accent is written, would be one file on
  /// some systems.
  void refuse_twin(std::string_view run) const {
    runs("", [&](std::string_view other) {
      const bool same = rs::run_twin_key(other) == rs::run_twin_key(run);
      if (same) throw rs::StoreErrors{url(), run}.twin(other);
      return true;
    });
  }

  /// A run that does not exist has no records.
  Run read(std::string_view run) const {
    const fs::path log = log_of(run);
    return fs::exists(log) ? read_log(log) : Run{};
  }

  fs::path folder_;
};

// ---- does it keep the contract? ----------------------------------------------------------------

bool keeps_its_promises() {
  const auto report = rs::testing::check_store([](std::string_view place) {
    return std::make_unique<LogStore>(fs::path{"checked"} / place);
  });
  std::cout << report.text();
  return report.passed();
}

// ---- a pipeline on it --------------------------------------------------------------------------

int main() {
  int calls = 0;
  rs::Pipeline pipeline{"squares"};
  const auto numbers = pipeline.input("numbers", std::vector<int>{1, 2, 3, 4});
  const auto squares = pipeline.stage("squares", inputs(each(numbers)), [&calls](int n) {
    if (++calls == 3) throw std::runtime_error("the third call fails");
    return n * n;
  });

  LogStore store{"store"};
  const rs::Report failed = rs::resume(pipeline, store, {.run = "r"});
  std::cout << to_string(failed.outcome()) << " after " << calls << " calls\n";

  LogStore again{"store"};  // as in the next process
  const rs::Report report = rs::resume(pipeline, again, {.run = "r"});
  if (!report) return report.exit_code();
  std::cout << to_string(report.outcome()) << " after " << calls << " calls, "
            << report.items_skipped() << " items kept, store " << again.url() << '\n';
  return !failed && report[squares] == std::vector<int>{1, 4, 9, 16} && calls == 5 &&
                 keeps_its_promises()
             ? 0
             : 1;
}
