/// @file
/// A store by its URL, as command lines and configuration files name it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/file_store.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

/// Opens the store that a URL names, such as `redis:localhost`. May throw Error.
using StoreFactory =
    std::function<std::unique_ptr<CheckpointStore>(std::string_view url, CreateStore create)>;

/// By scheme: what stands before the colon, in lower case.
using StoreFactories = std::map<std::string, StoreFactory, std::less<>>;

/// Opens a store: `file:DIR`, `journal:DIR`, the path of either without a scheme, or a scheme of
/// `factories`. A path that does not exist yet is a FileStore. No global registry is involved.
/// @throws Error{Errc::bad_option}  the scheme is unknown; the folder does not exist, and is not to
///         be created
/// @throws Error{Errc::unreadable}  the folder cannot be opened
[[nodiscard]] RESUMABLE_EXPORT std::unique_ptr<CheckpointStore> open_store(
    std::string_view url, const StoreFactories& factories = {},
    CreateStore create = CreateStore::never);

}  // namespace v0
}  // namespace resumable
