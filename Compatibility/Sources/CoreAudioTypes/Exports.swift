// SPDX-License-Identifier: Apache-2.0
@_exported public import CCoreAudio
@_exported public import CoreFoundation
@_exported public import Foundation
