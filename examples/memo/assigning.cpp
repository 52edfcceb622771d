#include "memo/assigning.hpp"

#include <limits>

namespace memo {
namespace {

/// The shortest augmenting path for one row after the other, with potentials. Rows and columns are
/// numbered from 1; 0 is none.
class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<std::int64_t>>& worth)
      : worth_(worth),
        given_(worth.empty() ? 0 : worth[0].size()),
        columns_(given_ + worth.size()),  // one spare for each row, worth nothing
        of_row_(worth.size() + 1, 0),
        of_column_(columns_ + 1, 0),
        row_of_(columns_ + 1, 0) {}

  std::vector<std::size_t> solved() {
    for (std::size_t row = 1; row <= worth_.size(); ++row) add(row);
    std::vector<std::size_t> out(worth_.size(), given_);
    for (std::size_t c = 1; c <= given_; ++c) {
      const std::size_t row = row_of_[c];
      if (row != 0 && worth_[row - 1][c - 1] > 0) out[row - 1] = c - 1;
    }
    return out;
  }

 private:
  [[nodiscard]] std::int64_t reduced(std::size_t row, std::size_t column) const {
    const std::int64_t cost = column <= given_ ? -worth_[row - 1][column - 1] : 0;
    return cost - of_row_[row] - of_column_[column];
  }

  void add(std::size_t row) {
    least_.assign(columns_ + 1, std::numeric_limits<std::int64_t>::max() / 4);
    before_.assign(columns_ + 1, 0);
    done_.assign(columns_ + 1, 0);
    row_of_[0] = row;
    std::size_t at = 0;
    do {
      done_[at] = 1;
      at = step_from(at);
    } while (row_of_[at] != 0);
    for (; at != 0; at = before_[at]) row_of_[at] = row_of_[before_[at]];
  }

  /// The nearest column that is not done, the potentials brought up to date.
  std::size_t step_from(std::size_t at) {
    std::size_t next = 0;
    for (std::size_t c = 1; c <= columns_; ++c) {
      if (done_[c] != 0) continue;
      if (const auto cost = reduced(row_of_[at], c); cost < least_[c]) {
        least_[c] = cost;
        before_[c] = at;
      }
      if (next == 0 || least_[c] < least_[next]) next = c;
    }
    const std::int64_t step = least_[next];
    for (std::size_t c = 0; c <= columns_; ++c) {
      if (done_[c] == 0) {
        least_[c] -= step;
        continue;
      }
      of_row_[row_of_[c]] += step;
      of_column_[c] -= step;
    }
    return next;
  }

  const std::vector<std::vector<std::int64_t>>& worth_;
  std::size_t given_;
  std::size_t columns_;
  std::vector<std::int64_t> of_row_;
  std::vector<std::int64_t> of_column_;
  std::vector<std::size_t> row_of_;
  std::vector<std::int64_t> least_;
  std::vector<std::size_t> before_;
  std::vector<char> done_;
};

}  // namespace

std::vector<std::size_t> assigned(const std::vector<std::vector<std::int64_t>>& worth) {
  return Assignment{worth}.solved();
}

}  // namespace memo
