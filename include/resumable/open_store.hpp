/// @file
/// open_store(): opens a store by its URL, as given in command lines and configuration files.
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

/// Factories by scheme: the part before the colon, in lower case.
using StoreFactories = std::map<std::string, StoreFactory, std::less<>>;

/// Opens a store: `file:DIR`, `journal:DIR`, the path of either without a scheme, or a scheme of
/// `factories`. A path that does not exist yet is a FileStore. `?shared=yes` after a folder is
/// SharedFileSystem::allow. No global registry is involved.
/// @throws Error{Errc::bad_option}  the scheme or a parameter is unknown; or the folder does not
///         exist and may not be created
/// @throws Error{Errc::unreadable}  the folder cannot be opened
[[nodiscard]] RESUMABLE_EXPORT std::unique_ptr<CheckpointStore> open_store(
    std::string_view url, const StoreFactories& factories = {},
    CreateStore create = CreateStore::never);

/// `url` as it may be shown: without a password, if it has one.
[[nodiscard]] RESUMABLE_EXPORT std::string without_password(std::string_view url);

}  // namespace v0
}  // namespace resumable
