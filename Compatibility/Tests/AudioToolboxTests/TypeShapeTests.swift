// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

/// Types and their names, as in programs for Apple's systems.
@Suite struct TypeShapeTests {
  @Test func `enumerations and sets have Swift's names and Apple's values`() {
    #expect(MusicSequenceType.beats.rawValue == 0x6265_6174)
    #expect(MusicSequenceType.seconds.rawValue == 0x7365_6373)
    #expect(MusicSequenceType.samples.rawValue == 0x7361_6D70)
    #expect(MusicSequenceFileTypeID.midiType.rawValue == 0x6D69_6469)
    #expect(MusicSequenceLoadFlags() == .smf_PreserveTracks)
    #expect(MusicSequenceLoadFlags.smf_ChannelsToTracks.rawValue == 1)
    #expect(MusicSequenceFileFlags.eraseFile.rawValue == 1)
    let flags: AudioTimeStampFlags = [.hostTimeValid, .sampleTimeValid]
    #expect(flags == .sampleHostTimeValid)
    #expect(SMPTETimeType.type2997Drop.rawValue == 5)
  }

  @Test func `structs have the layout that C programs rely on`() {
    #expect(MemoryLayout<MIDINoteMessage>.size == 8)
    #expect(MemoryLayout<MIDIMetaEvent>.offset(of: \.data) == 8)
    #expect(MemoryLayout<MIDIRawData>.offset(of: \.data) == 4)
    #expect(MemoryLayout<ExtendedNoteOnEvent>.offset(of: \.extendedParams) == 12)
    #expect(MemoryLayout<MusicTrackLoopInfo>.size == 16)
    #expect(MemoryLayout<CABarBeatTime>.size == 12)
    #expect(MemoryLayout<AudioTimeStamp>.size == 64)
    #expect(MemoryLayout<DarwinBoolean>.size == 1)
  }

  @Test func `host time is in nanoseconds`() {
    var info = mach_timebase_info()
    #expect(mach_timebase_info(&info) == KERN_SUCCESS)
    #expect(info.numer == 1 && info.denom == 1)
    #expect(CMClockMakeHostTimeFromSystemUnits(3 * NSEC_PER_SEC / 2).seconds == 1.5)
    let first = mach_absolute_time()
    #expect(AudioGetCurrentHostTime() >= first)
  }

  @Test func `Core Foundation's classes are Foundation's`() {
    let url = URL(fileURLWithPath: "/tmp/x") as CFURL
    #expect(url.path == "/tmp/x")
    let data = Unmanaged.passRetained(Data([1, 2]) as CFData)
    #expect(data.takeRetainedValue() as Data == Data([1, 2]))
  }
}
