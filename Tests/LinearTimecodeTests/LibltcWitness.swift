// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinearTimecode
import MusicalTime
import TestSupport

/// libltc in a small C program, which reads time code from sound and generates it.
struct LibltcWitness {
  static let isInstalled = FileManager.default.fileExists(atPath: "/usr/include/ltc.h")

  private let scratch: ScratchFolder
  private var program: String { scratch.path("witness") }

  init() throws {
    scratch = try ScratchFolder()
    let source = try scratch.write("witness.c", Array(Self.source.utf8))
    let build = try ToolRun(
      ["-c", #"exec clang -O2 "$@" -lltc -lm"#, "clang", source, "-o", scratch.path("witness")],
      command: "/bin/sh")
    guard build.status == 0 else { throw LibltcFault(sentence: build.errors) }
  }

  /// The frames that libltc reads in a sound, piece by piece.
  func read(
    samplesInFrame: Int, _ next: () -> [Float]?, each: ([Int]) throws -> Void
  ) throws {
    let output = try scratch.write("labels.txt", [])
    let (process, input) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["read", "\(samplesInFrame)"]
    process.standardInput = input
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    try process.run()
    while let piece = next() {
      try input.fileHandleForWriting.write(
        contentsOf: unsafe piece.withUnsafeBytes { unsafe Data($0) })
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw LibltcFault(sentence: "it failed") }
    for line in try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n") {
      try each(line.split(separator: " ").compactMap { Int($0) })
    }
  }

  /// The sound that libltc writes for some consecutive frames from a label, and the start of each;
  /// it rounds to bytes.
  func write(
    _ label: TimecodeLabel, rate: FrameRate, sampleRate: SampleRate, frames: Int,
    isReversed: Bool = false
  ) throws -> (sound: [Float], starts: [Int]) {
    let fields = [label.hours, label.minutes, label.seconds, label.frames].map { "\($0)" }
    let run = try ToolRun(
      [
        "write", "\(sampleRate.hertz)", "\(rate.fpsNumerator)", "\(rate.fpsDenominator)",
        rate.isDrop ? "1" : "0", "\(frames)", isReversed ? "1" : "0",
      ] + fields, command: program)
    guard run.status == 0 else { throw LibltcFault(sentence: run.errors) }
    let lengths = run.errors.split(separator: "\n").compactMap { Int($0) }
    let starts = lengths.indices.map { lengths[..<$0].reduce(0, +) }
    return (run.output.map { (Float($0) - 128) / 128 }, starts)
  }

  private static let source = """
    #include <ltc.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static int reads(int length) {
      LTCDecoder *decoder = ltc_decoder_create(length, 64);
      float sound[1024];
      long long place = 0;
      LTCFrameExt frame;
      for (size_t count; (count = fread(sound, 4, 1024, stdin)) > 0; place += count) {
        ltc_decoder_write_float(decoder, sound, count, place);
        while (ltc_decoder_read(decoder, &frame)) {
          SMPTETimecode label;
          ltc_frame_to_time(&label, &frame.ltc, 0);
          printf("%d %d %d %d %d %lld %d %lu\\n", label.hours, label.mins, label.secs, label.frame,
            frame.ltc.dfbit, frame.off_start, frame.reverse, ltc_frame_get_user_bits(&frame.ltc));
        }
      }
      return 0;
    }
    static int writes(char **words) {
      double fps = atof(words[1]) / atof(words[2]);
      int nominal = (int)(fps + 0.5);
      enum LTC_TV_STANDARD standard = nominal == 25 ? LTC_TV_625_50
        : nominal == 24 ? LTC_TV_FILM_24 : LTC_TV_525_60;
      LTCEncoder *encoder = ltc_encoder_create(atof(words[0]), fps, standard, 0);
      SMPTETimecode label = { "+0000", 0, 1, 1, atoi(words[6]), atoi(words[7]), atoi(words[8]),
        atoi(words[9]) };
      ltc_encoder_set_timecode(encoder, &label);
      LTCFrame frame;
      ltc_encoder_get_frame(encoder, &frame);
      frame.dfbit = atoi(words[3]);
      ltc_frame_set_parity(&frame, standard);
      ltc_encoder_set_frame(encoder, &frame);
      for (int number = 0; number < atoi(words[4]); number++) {
        if (atoi(words[5])) ltc_encoder_encode_reversed_frame(encoder);
        else ltc_encoder_encode_frame(encoder);
        ltcsnd_sample_t *sound;
        int count = ltc_encoder_get_bufferptr(encoder, &sound, 1);
        fwrite(sound, 1, count, stdout);
        fprintf(stderr, "%d\\n", count);
        if (atoi(words[5])) ltc_encoder_dec_timecode(encoder);
        else ltc_encoder_inc_timecode(encoder);
      }
      return 0;
    }
    int main(int count, char **words) {
      if (count == 3 && !strcmp(words[1], "read")) return reads(atoi(words[2]));
      if (count == 12 && !strcmp(words[1], "write")) return writes(words + 2);
      return 64;
    }
    """
}

/// The reason for which the witness is not available.
struct LibltcFault: Error {
  let sentence: String
}
