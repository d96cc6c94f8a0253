// SPDX-License-Identifier: Apache-2.0
// The Clang module of the same name, which contains the rest of Core Foundation.
@_exported public import CoreFoundation
@_exported public import Foundation
