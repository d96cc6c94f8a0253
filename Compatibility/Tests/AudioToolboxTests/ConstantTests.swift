// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import CoreMIDI
import Testing

/// The numbers of error codes, properties and types in Apple's headers.
@Suite struct ConstantTests {
  /// The number of a four-letter code.
  private static func code(_ letters: String) -> UInt32 {
    letters.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  @Test func `Error codes of sequences and players`() {
    #expect(kAudioToolboxErr_InvalidSequenceType == -10846)
    #expect(kAudioToolboxErr_TrackIndexError == -10859)
    #expect(kAudioToolboxErr_TrackNotFound == -10858)
    #expect(kAudioToolboxErr_EndOfTrack == -10857 && kAudioToolboxErr_StartOfTrack == -10856)
    #expect(kAudioToolboxErr_IllegalTrackDestination == -10855)
    #expect(kAudioToolboxErr_NoSequence == -10854 && kAudioToolboxErr_InvalidEventType == -10853)
    #expect(kAudioToolboxErr_InvalidPlayerState == -10852)
    #expect(kAudioToolboxErr_CannotDoInCurrentContext == -10863)
    #expect(kAudioToolboxError_NoTrackDestination == -66720)
    #expect(kAudio_ParamError == -50 && kAudio_FilePermissionError == -54)
    #expect(kMusicEventType_NULL == 0 && kMusicEventType_AUPreset == 10)
    #expect(kMusicTimeStamp_EndOfTrack == .greatestFiniteMagnitude)
    #expect(kMusicNoteEvent_UseGroupInstrument == .max)
    #expect(MusicSequenceFileTypeID.iMelodyType.rawValue == Self.code("imel"))
  }

  @Test func `Error codes, properties, messages and formats of clocks`() {
    let errors = [
      kCAClock_UnknownPropertyError, kCAClock_InvalidPropertySizeError,
      kCAClock_InvalidTimeFormatError, kCAClock_InvalidSyncModeError,
      kCAClock_InvalidSyncSourceError, kCAClock_InvalidTimebaseError,
      kCAClock_InvalidTimebaseSourceError, kCAClock_InvalidSMPTEFormatError,
      kCAClock_InvalidSMPTEOffsetError, kCAClock_InvalidUnitError,
      kCAClock_InvalidPlayRateError, kCAClock_CannotSetTimeError,
    ]
    #expect(errors == Array(-66816 ... -66805))
    let properties: [(CAClockPropertyID, String)] = [
      (.internalTimebase, "intb"), (.timebaseSource, "itbs"), (.syncMode, "synm"),
      (.syncSource, "syns"), (.smpteFormat, "smpf"), (.smpteOffset, "smpo"),
      (.midiClockDestinations, "mbcd"), (.mtcDestinations, "mtcd"), (.mtcFreewheelTime, "mtfw"),
      (.tempoMap, "tmpo"), (.meterTrack, "metr"), (.name, "name"), (.sendMIDISPP, "mspp"),
    ]
    for (property, letters) in properties { #expect(property.rawValue == Self.code(letters)) }
    let messages: [(CAClockMessage, String)] = [
      (.startTimeSet, "stim"), (.started, "strt"), (.stopped, "stop"), (.armed, "armd"),
      (.disarmed, "darm"), (.propertyChanged, "pchg"), (.wrongSMPTEFormat, "?smp"),
    ]
    for (message, letters) in messages { #expect(message.rawValue == Self.code(letters)) }
    let formats: [(CAClockTimeFormat, String)] = [
      (.hostTime, "host"), (.samples, "samp"), (.beats, "beat"), (.seconds, "secs"),
      (.smpteSeconds, "smps"), (.smpteTime, "smpt"), (.absoluteSeconds, "asec"),
    ]
    for (format, letters) in formats { #expect(format.rawValue == Self.code(letters)) }
    #expect(CAClockTimebase.hostTime.rawValue == Self.code("host"))
    #expect(CAClockTimebase.audioDevice.rawValue == Self.code("audi"))
    #expect(CAClockTimebase.audioOutputUnit.rawValue == Self.code("auou"))
    #expect(CAClockSyncMode.midiClockTransport.rawValue == Self.code("mclk"))
    #expect(CAClockSyncMode.mtcTransport.rawValue == Self.code("mmtc"))
    #expect(CAClockSyncMode.internal.rawValue == Self.code("intr"))
  }

  @Test func `SMPTE time types, and the structs of times`() {
    let kinds: [SMPTETimeType] = [
      .type24, .type25, .type30Drop, .type30, .type2997, .type2997Drop, .type60, .type5994,
      .type60Drop, .type5994Drop, .type50, .type2398,
    ]
    #expect(kinds.map(\.rawValue) == Array(0...11))
    #expect(MemoryLayout<SMPTETime>.size == 24)
    #expect(MemoryLayout<SMPTETime>.offset(of: \.mCounter) == 4)
    #expect(MemoryLayout<SMPTETime>.offset(of: \.mHours) == 16)
    #expect(SMPTETimeFlags.valid.rawValue == 1 && SMPTETimeFlags.running.rawValue == 2)
    #expect(MemoryLayout<CAClockTime>.size == 32)
    #expect(MemoryLayout<CATempoMapEntry>.size == 16)
    #expect(MemoryLayout<CAMeterTrackEntry>.size == 16)
  }

  @Test func `Error codes of graphs and units`() {
    #expect(kAUGraphErr_NodeNotFound == -10860 && kAUGraphErr_InvalidConnection == -10861)
    #expect(kAUGraphErr_OutputNodeErr == -10862)
    #expect(kAUGraphErr_CannotDoInCurrentContext == -10863)
    #expect(kAUGraphErr_InvalidAudioUnit == -10864)
    let errors: [(OSStatus, OSStatus)] = [
      (kAudioUnitErr_InvalidProperty, -10879), (kAudioUnitErr_InvalidParameter, -10878),
      (kAudioUnitErr_InvalidElement, -10877), (kAudioUnitErr_NoConnection, -10876),
      (kAudioUnitErr_FailedInitialization, -10875),
      (kAudioUnitErr_TooManyFramesToProcess, -10874),
      (kAudioUnitErr_FormatNotSupported, -10868), (kAudioUnitErr_Uninitialized, -10867),
      (kAudioUnitErr_InvalidScope, -10866), (kAudioUnitErr_PropertyNotWritable, -10865),
      (kAudioUnitErr_CannotDoInCurrentContext, -10863),
      (kAudioUnitErr_InvalidPropertyValue, -10851), (kAudioUnitErr_PropertyNotInUse, -10850),
      (kAudioUnitErr_Initialized, -10849),
    ]
    for (error, number) in errors { #expect(error == number) }
    #expect(kAudioUnitType_MusicDevice == Self.code("aumu"))
    #expect(kAudioUnitSubType_DLSSynth == Self.code("dls "))
    #expect(kAudioUnitSubType_MIDISynth == Self.code("msyn"))
    #expect(kAudioUnitSubType_Sampler == Self.code("samp"))
    #expect(kAudioUnitSubType_MultiChannelMixer == Self.code("mcmx"))
    #expect(kAudioUnitSubType_MatrixMixer == Self.code("mxmx"))
    #expect(kAudioUnitSubType_StereoMixer == Self.code("smxr"))
    #expect(kAudioUnitSubType_GenericOutput == Self.code("genr"))
    #expect(kAudioUnitSubType_DefaultOutput == Self.code("def "))
    #expect(kAudioUnitSubType_DynamicsProcessor == Self.code("dcmp"))
    #expect(kAudioUnitSubType_AUConverter == Self.code("conv"))
  }

  @Test func `Error codes, properties and IDs of system sounds`() {
    #expect(UInt32(bitPattern: kAudioServicesUnsupportedPropertyError) == Self.code("pty?"))
    #expect(UInt32(bitPattern: kAudioServicesBadPropertySizeError) == Self.code("!siz"))
    #expect(UInt32(bitPattern: kAudioServicesBadSpecifierSizeError) == Self.code("!spc"))
    #expect(kAudioServicesSystemSoundUnspecifiedError == -1500)
    #expect(kAudioServicesSystemSoundClientTimedOutError == -1501)
    #expect(kAudioServicesPropertyIsUISound == Self.code("isui"))
    #expect(kAudioServicesPropertyCompletePlaybackIfAppDies == Self.code("ifdi"))
    #expect(kSystemSoundID_UserPreferredAlert == 0x1000)
    #expect(kSystemSoundID_FlashScreen == 0xFFE && kSystemSoundID_Vibrate == 0xFFF)
  }
}
