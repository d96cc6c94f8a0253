// SPDX-License-Identifier: Apache-2.0
@_exported public import AVFAudio
@_exported public import AVFoundationAssets
@_exported public import AudioToolbox
@_exported public import AudioUnit
@_exported public import CoreMedia
