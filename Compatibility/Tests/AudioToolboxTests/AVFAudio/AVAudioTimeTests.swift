// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite struct AVAudioTimeTests {
  @Test func `A time has the fields that it was made with`() {
    let host = AVAudioTime(hostTime: 5)
    #expect(host.isHostTimeValid && host.hostTime == 5 && !host.isSampleTimeValid)
    let sample = AVAudioTime(sampleTime: -7, atRate: 48_000)
    #expect(sample.isSampleTimeValid && sample.sampleTime == -7 && sample.sampleRate == 48_000)
    #expect(!sample.isHostTimeValid && sample.audioTimeStamp.mFlags == .sampleTimeValid)
    let both = AVAudioTime(hostTime: 9, sampleTime: 4, atRate: 8000)
    #expect(both.isHostTimeValid && both.isSampleTimeValid)
    var stamp = both.audioTimeStamp
    #expect(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 8000) == both)
    stamp.mSampleTime = .nan
    #expect(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 8000).sampleTime == 0)
    stamp.mSampleTime = 1e300
    #expect(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 8000).sampleTime == .max)
  }

  @Test func `Seconds and host time are converted both ways`() {
    let units = AVAudioTime.hostTime(forSeconds: 1.5)
    #expect(AVAudioTime.seconds(forHostTime: units) == 1.5)
    #expect(AVAudioTime.hostTime(forSeconds: -1) == 0)
    #expect(AVAudioTime.hostTime(forSeconds: .nan) == 0)
    #expect(AVAudioTime.hostTime(forSeconds: .infinity) == .max)
  }

  @Test func `A missing field is extrapolated from an anchor`() throws {
    let second = AVAudioTime.hostTime(forSeconds: 1)
    let anchor = AVAudioTime(hostTime: 10 * second, sampleTime: 44_100, atRate: 44_100)
    let later = try #require(
      AVAudioTime(sampleTime: 88_200, atRate: 44_100).extrapolateTime(fromAnchor: anchor))
    #expect(later.hostTime == 11 * second && later.sampleTime == 88_200)
    let earlier = try #require(
      AVAudioTime(hostTime: 9 * second).extrapolateTime(fromAnchor: anchor))
    #expect(earlier.sampleTime == 0 && earlier.sampleRate == 44_100)
    let other = try #require(
      AVAudioTime(sampleTime: 96_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
    #expect(other.hostTime == 11 * second && other.sampleRate == 48_000)
  }

  @Test func `A time that cannot be extrapolated gives nil`() {
    let anchor = AVAudioTime(hostTime: 1, sampleTime: .max, atRate: 44_100)
    #expect(AVAudioTime(hostTime: .max).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(
      AVAudioTime(sampleTime: .min, atRate: 1).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(anchor.extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) == nil)
    #expect(
      AVAudioTime(sampleTime: 1, atRate: 0).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(
      AVAudioTime(hostTime: 5).extrapolateTime(
        fromAnchor: AVAudioTime(hostTime: 1, sampleTime: 1, atRate: -1)) == nil)
  }
}
