#include "store/parameters.hpp"

#include <algorithm>

namespace resumable::store {

std::size_t parameters_at(std::string_view url) {
  std::size_t begin = 0;
  const std::size_t slash = url.find_first_of("/?");
  const bool has_host = slash != url.npos && slash > 0 && url.substr(slash - 1, 3) == "://";
  if (has_host) {
    begin = slash + 2;
    const std::size_t at = url.find_first_of("@/", begin);
    if (at != url.npos && url[at] == '@') begin = at;  // behind user and password
  }
  return std::min(url.find('?', begin), url.size());
}

std::string take_parameters(std::string_view url, std::size_t at,
                            FunctionRef<bool(std::string_view name, std::string_view value)> take) {
  std::string rest{url.substr(0, at)};
  char before = '?';
  while (at < url.size()) {
    const std::size_t end = std::min(url.find('&', at + 1), url.size());
    const std::string_view pair = url.substr(at + 1, end - at - 1);
    at = end;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (take(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())))) continue;
    rest += before;
    rest += pair;
    before = '&';
  }
  return rest;
}

}  // namespace resumable::store
