#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "resumable/codec.hpp"
#include "resumable/json_types.hpp"

using resumable::Checkpointable;
static_assert(Checkpointable<int> && Checkpointable<bool> && Checkpointable<std::string>);
static_assert(Checkpointable<resumable::Json> && Checkpointable<std::filesystem::path>);
static_assert(Checkpointable<std::vector<std::vector<bool>>>);
static_assert(Checkpointable<std::map<int, std::set<std::string>>>);
static_assert(Checkpointable<std::unordered_map<std::string, std::tuple<int, double>>>);
static_assert(Checkpointable<std::vector<resumable::Text>> && Checkpointable<resumable::Bytes>);
static_assert(Checkpointable<std::optional<std::chrono::milliseconds>>);
static_assert(!Checkpointable<void> && !Checkpointable<int&> && !Checkpointable<int[2]>);
static_assert(!Checkpointable<nlohmann::ordered_json> && !Checkpointable<std::vector<char*>>);

const auto& table = resumable::detail::value_type<std::vector<std::string>>();
