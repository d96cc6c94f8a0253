// SPDX-License-Identifier: Apache-2.0
@_exported public import AudioToolbox
@_exported public import AudioUnit

/// A position in a sequence, in beats.
public typealias AVMusicTimeStamp = Double
