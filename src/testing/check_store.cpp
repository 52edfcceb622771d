#include "resumable/testing/check_store.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "resumable/error.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

struct Section {
  std::string_view name;
  std::string_view promise;
};

constexpr std::array sections{
    Section{"reading", "What was committed is read as it was written; what was not is absent."},
    Section{"order", "A scan goes by path in byte order, then by generation, as far as asked."},
    Section{"waits", "A call whose time is over changes nothing."},
    Section{"immutable", "A record that exists is never replaced."},
    Section{"erasing", "What a batch erases is gone; erasing it again is not an error."},
    Section{"atomic", "A batch is stored whole or not at all."},
    Section{"names", "Names and headers that are not allowed are refused."},
    Section{"threads", "Threads share a lease and a store."},
    Section{"lasting", "What was committed is there when the store is opened again."},
    Section{"quarantine", "What is set aside is kept, and not used."},
    Section{"manifest", "The last manifest is kept."},
    Section{"seals", "Headers and tags that need the digest of a payload are made and stored."},
    Section{"leases", "A run has one writer at a time, and each a higher fence."},
    Section{"runs", "Runs are listed in byte order."},
    Section{"isolated", "A reader beside the writer sees whole batches."},
    Section{"fresh", "A reader sees a commit as soon as it has returned."},
    Section{"durable", "A commit that was acknowledged survives its process."},
    Section{"processes", "The right to write is one process's, and ends with it."},
    Section{"takeover", "A lease that ends by itself is renewed, and its former owner is fenced."},
    Section{"stamps", "A run's stamp changes with each commit."},
    Section{"sums", "Sums are those that a scan finds."},
    Section{"removal", "A removed run is gone, and its id is free."},
    Section{"cache", "Of several entries of one path the first stays."},
    Section{"folders", "Each run has a folder of its own."},
    Section{"work", "Items that processes share are claimed and committed by one at a time."},
};

const std::vector<Check>& checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> list;
    for (const auto part :
         {reading_checks(), writing_checks(), keeping_checks(), owning_checks(), process_checks(),
          takeover_checks(), optional_checks(), work_checks()}) {
      list.insert(list.end(), part.begin(), part.end());
    }
    return list;
  }();
  return all;
}

CheckResult result_of(const Check& check, const OpenStore& open, const StoreCheckOptions& options) {
  try {
    StoreUnderTest test{open, std::string{check.what.name}, options.survives_process};
    check.run(test);
    return {check.what.name, Verdict::kept};
  } catch (const NotOffered&) {
    return {check.what.name, Verdict::not_offered};
  } catch (const std::exception& problem) {
    return {check.what.name, Verdict::broken, problem.what()};
  }
}

/// A broken check breaks its section; one that is not offered does not.
Verdict verdict_of(const std::vector<CheckResult>& checks) {
  const auto has = [&](Verdict verdict) {
    return std::ranges::any_of(checks, [&](const auto& one) { return one.verdict == verdict; });
  };
  if (has(Verdict::broken)) return Verdict::broken;
  return has(Verdict::kept) ? Verdict::kept : Verdict::not_offered;
}

[[noreturn]] void unknown(std::string_view kind, std::string_view name) {
  throw Error(Errc::bad_option, {.what = fmt::format("there is no {} '{}'", kind, name),
                                 .next = "look at store_checks() in testing/check_store.hpp"});
}

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kept: return "kept";
    case Verdict::broken: return "BROKEN";
    case Verdict::not_offered: return "-";
  }
  return "";
}

}  // namespace

bool StoreReport::passed() const noexcept {
  return std::ranges::none_of(
      sections, [](const SectionResult& one) { return one.verdict == Verdict::broken; });
}

const SectionResult* StoreReport::find(std::string_view section) const noexcept {
  const auto found = std::ranges::find(sections, section, &SectionResult::section);
  return found == sections.end() ? nullptr : &*found;
}

std::string StoreReport::text() const {
  std::string text = fmt::format("{}\n", store);
  std::size_t kept = 0;
  for (const SectionResult& section : sections) {
    kept += section.verdict == Verdict::kept ? 1U : 0U;
    text += fmt::format("{:<7} {:<11} {}\n", word_of(section.verdict), section.section,
                        section.promise);
    for (const CheckResult& check : section.checks) {
      if (check.verdict == Verdict::broken) {
        text += fmt::format("{:<20}{}: {}\n", "", check.name, check.detail);
      }
    }
  }
  const auto broken =
      std::ranges::count(sections, Verdict::broken, [](const auto& one) { return one.verdict; });
  return text + fmt::format("{} kept, {} broken, {} not offered\n", kept, broken,
                            sections.size() - kept - static_cast<std::size_t>(broken));
}

std::span<const StoreCheck> store_checks() {
  static const std::vector<StoreCheck> all = [] {
    std::vector<StoreCheck> list;
    for (const Check& check : checks()) list.push_back(check.what);
    return list;
  }();
  return all;
}

CheckResult run_store_check(std::string_view name, const OpenStore& open,
                            const StoreCheckOptions& options) {
  const auto found =
      std::ranges::find(checks(), name, [](const Check& one) { return one.what.name; });
  if (found == checks().end()) unknown("check", name);
  return result_of(*found, open, options);
}

StoreReport check_store(const OpenStore& open, const StoreCheckOptions& options) {
  const auto wanted = [&](std::string_view section) {
    return options.sections.empty() || std::ranges::count(options.sections, section) > 0;
  };
  for (const std::string& name : options.sections) {
    if (std::ranges::count(sections, name, &Section::name) == 0) unknown("section", name);
  }
  StoreReport report;
  const OpenStore noted = [&](std::string_view place) {
    auto store = open(place);
    if (store && report.store.empty()) report.store = store->url();
    return store;
  };
  for (const Section& section : sections) {
    if (!wanted(section.name)) continue;
    SectionResult result{section.name, section.promise};
    for (const Check& check : checks()) {
      if (check.what.section != section.name) continue;
      result.checks.push_back(result_of(check, noted, options));
    }
    result.verdict = verdict_of(result.checks);
    report.sections.push_back(std::move(result));
  }
  return report;
}

}  // namespace testing
}  // namespace v0
}  // namespace resumable
