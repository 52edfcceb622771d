#include "run/spending.hpp"

#include <utility>

#include "core/savings.hpp"

namespace resumable::run {

Savings spent_on(const record::RunFacts& facts, std::string_view path, const plan::Row* row) {
  if (row == nullptr) return {};
  if (const auto* kept = facts.kept(*row)) return {Seconds{kept->seconds}, kept->cost};
  const auto header = facts.header(path, row->generation);
  return header ? Savings{Seconds{header->seconds}, header->cost} : Savings{};
}

namespace {

/// `S` or `S/item` of `@step/S/name` or `@step/S/item/name`.
std::string around(std::string_view path) {
  const std::string_view below = path.substr(path.find('/') + 1);
  return std::string{below.substr(0, below.rfind('/'))};
}

/// The newest record of each loop, which has all that was spent until then.
void add_loops(const record::RunFacts& facts, std::string_view stage, std::uint64_t fence,
               SpentInside& sums) {
  std::map<std::string_view, std::pair<std::string_view, const plan::Row*>> newest;
  facts.each_in_loops(stage, [&](std::string_view path, std::span<const plan::Row> rows) {
    const plan::Row* row = plan::newest_whole(rows);
    if (row == nullptr || row->head.fence >= fence) return;
    const std::size_t slash = path.rfind('/');
    if (row->head.kind == core::Kind::progress) {
      newest[path] = {path, row};
    } else if (path[slash + 1] <= '9') {  // an entry, and not the gap
      newest[path.substr(0, slash)] = {path, row};
    }
  });
  for (const auto& [loop, record] : newest) {
    Savings& sum = sums[around(loop)];
    sum = core::larger(sum, spent_on(facts, record.first, record.second));
  }
}

}  // namespace

SpentInside spent_inside(const record::RunFacts& facts, std::string_view stage,
                         std::uint64_t fence) {
  SpentInside sums;
  facts.each_step(stage, [&](std::string_view path, std::span<const plan::Row> rows) {
    const plan::Row* row = plan::newest_whole(rows);
    if (row == nullptr || row->head.fence >= fence) return;
    Savings& sum = sums[around(path)];
    const Savings spent = spent_on(facts, path, row);
    sum.duration += spent.duration;
    sum.cost += spent.cost;
  });
  add_loops(facts, stage, fence, sums);
  return sums;
}

}  // namespace resumable::run
