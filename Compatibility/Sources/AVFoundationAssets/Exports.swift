// SPDX-License-Identifier: Apache-2.0
@_exported public import AVFAudio
@_exported public import CoreMedia
