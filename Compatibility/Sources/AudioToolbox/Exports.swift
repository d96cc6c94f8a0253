// SPDX-License-Identifier: Apache-2.0
@_exported public import AudioToolboxFiles
@_exported public import AudioToolboxQueues
@_exported public import CoreAudio
@_exported public import CoreAudioTypes
@_exported public import CoreMIDI
