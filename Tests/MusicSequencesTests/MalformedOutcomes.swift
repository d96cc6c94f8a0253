// SPDX-License-Identifier: Apache-2.0

/// The expected outcome for every corpus file that is not clean or was damaged on purpose.
///
/// Each line gives the status, events, notes, last tick, and the repairs with their track index.
enum MalformedOutcomes {
  static let all: [(path: String, outcome: String)] = [
    (
      "jazz-soft__test-midi-files/midi/test-running-status-sysex.mid",
      "repaired 22 8 768: runningStatusAcrossMeta 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-2-tracks-type-0.mid",
      "repaired 40 16 864: formatZeroTracks"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-f2-xx-xx.mid",
      "repaired 22 8 768: systemStatus 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-all.mid",
      "repaired 22 8 768: systemStatus 0 x13"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-f4.mid",
      "repaired 22 8 768: systemStatus 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-fc.mid",
      "repaired 22 8 768: systemStatus 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-not-a-midi-file.mid",
      "refused: not a MIDI file: a text file; a MIDI file is binary and starts with MThd"
    ),
    ("jazz-soft__test-midi-files/midi/test-non-midi-track.mid", "clean 30 8 768:"),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-f3-xx.mid",
      "repaired 22 8 768: systemStatus 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-f8.mid",
      "repaired 22 8 768: systemStatus 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-empty-file.mid",
      "refused: not a MIDI file: the file is empty; copy or download it again"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-fa.mid",
      "repaired 22 8 768: systemStatus 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-corrupt-file-missing-byte.mid",
      "repaired 21 8 768: trackLength 0, truncatedEvent 0"
    ),
    (
      "jazz-soft__test-midi-files/midi/test-illegal-message-fd.mid",
      "repaired 22 8 768: systemStatus 0"
    ),
    (
      "transcriptaze__midiasm/ops/disassemble/test-files/reference.mid",
      "repaired 5 0 0: trackLength 1, truncatedPayload 1"
    ),
    (
      "transcriptaze__midiasm/ops/assemble/test-files/json.mid",
      "repaired 36 0 13588: dataByte 1 x2"
    ),
    ("swift-midi-file-extracted/Header_Tests__rawData.mid", "repaired 0 0 0: trackCount"),
    (
      "swift-midi-file-extracted/Header_Tests__rawData_1.mid",
      "repaired 0 0 0: trailingBytes, trackCount"
    ),
    ("swift-midi-file-extracted/Header_Tests__rawData_1_2.mid", "clean 2 0 0:"),
    (
      "swift-midi-file-extracted/MusicalMIDI1File+Decoding_Tests__rawData.mid",
      "repaired 2 0 0: formatZeroTracks"
    ),
    (
      "swift-midi-file-extracted/MusicalMIDI1File+Decoding_Tests__rawData_1.mid",
      "repaired 6 3 240: formatZeroTracks, truncatedPayload 1"
    ),
    (
      "swift-midi-file-extracted/MusicalMIDI1File+Decoding_Tests__rawData_1_2.mid",
      "repaired 9 3 255: formatZeroTracks, dataByte 1"
    ),
    (
      "swift-midi-file-extracted/MusicalMIDI1File+Decoding_Tests__rawData_1_2_3.mid",
      "repaired 5 2 240: trackLength 1, formatZeroTracks, truncatedEvent 1"
    ),
    ("swift-midi-file-extracted/Sample_MIDI_Files__customChunk.mid", "clean 7 0 0:"),
    ("derived/valid/header_len_10.mid", "clean 1639 805 224425:"),
    ("derived/valid/alien_chunks_between_tracks.mid", "clean 1639 805 224425:"),
    (
      "derived/malformed/truncated_at_00001.mid",
      "refused: not a MIDI file: its header is incomplete; copy or download the file again"
    ),
    (
      "derived/malformed/truncated_at_00003.mid",
      "refused: not a MIDI file: its header is incomplete; copy or download the file again"
    ),
    (
      "derived/malformed/truncated_at_00004.mid",
      "refused: byte 0: header ends after 4 of 14 bytes"
    ),
    (
      "derived/malformed/truncated_at_00007.mid",
      "refused: byte 0: header ends after 7 of 14 bytes"
    ),
    (
      "derived/malformed/truncated_at_00008.mid",
      "refused: byte 0: header ends after 8 of 14 bytes"
    ),
    (
      "derived/malformed/truncated_at_00013.mid",
      "refused: byte 0: header ends after 13 of 14 bytes"
    ),
    ("derived/malformed/truncated_at_00014.mid", "repaired 0 0 0: trackCount"),
    ("derived/malformed/truncated_at_00018.mid", "repaired 0 0 0: trailingBytes, trackCount"),
    ("derived/malformed/truncated_at_00021.mid", "repaired 0 0 0: trailingBytes, trackCount"),
    (
      "derived/malformed/truncated_at_00022.mid",
      "repaired 0 0 0: trackLength 0, trackCount, missingEndOfTrack 0"
    ),
    (
      "derived/malformed/truncated_at_00023.mid",
      "repaired 0 0 0: trackLength 0, trackCount, truncatedEvent 0"
    ),
    (
      "derived/malformed/truncated_at_00030.mid",
      "repaired 1 0 0: trackLength 0, trackCount, truncatedEvent 0"
    ),
    (
      "derived/malformed/truncated_at_00060.mid",
      "repaired 3 0 0: trackLength 0, trackCount, truncatedPayload 0"
    ),
    (
      "derived/malformed/truncated_at_00333.mid",
      "repaired 12 0 254185: trackLength 1, trackCount, truncatedPayload 1"
    ),
    (
      "derived/malformed/truncated_at_01000.mid",
      "repaired 159 73 254185: trackLength 1, trackCount, truncatedEvent 1"
    ),
    (
      "derived/malformed/truncated_at_03477.mid",
      "repaired 705 346 254185: trackLength 2, trackCount, truncatedEvent 2"
    ),
    (
      "derived/malformed/truncated_at_06953.mid",
      "repaired 1468 722 254185: trackLength 4, truncatedEvent 4"
    ),
    (
      "derived/malformed/truncated_at_06950.mid",
      "repaired 1468 722 254185: trackLength 4, truncatedEvent 4"
    ),
    ("derived/malformed/junk_prefix_1byte.mid", "repaired 1469 722 254185: leadingBytes"),
    ("derived/malformed/macbinary_128_prefix.mid", "repaired 1469 722 254185: leadingBytes"),
    (
      "derived/malformed/html_404_page.mid",
      "refused: not a MIDI file: a web page; download the MIDI file itself"
    ),
    (
      "derived/malformed/zip_magic.mid",
      "refused: not a MIDI file: a ZIP archive; unpack it first: unzip"
    ),
    (
      "derived/malformed/riff_wave_not_rmid.mid",
      "refused: not a MIDI file: a sound file (WAV); only MIDI files contain notes"
    ),
    ("derived/malformed/rmid_data_len_past_eof.rmi", "repaired 1469 722 254185: wrapperLength"),
    (
      "derived/malformed/all_zero_4k.mid",
      "refused: not a MIDI file: it starts with 00 00 00 00 instead of 4D 54 68 "
        + "64 (MThd)"
    ),
    (
      "derived/malformed/all_ff_4k.mid",
      "refused: not a MIDI file: it starts with FF FF FF FF instead of 4D 54 68 "
        + "64 (MThd)"
    ),
    (
      "derived/malformed/header_len_5.mid",
      "refused: byte 4: header of 5 bytes, at least 6 required"
    ),
    ("derived/malformed/header_len_ffffffff.mid", "repaired 1469 722 254185: headerLength"),
    ("derived/malformed/format_3.mid", "repaired 1469 722 254185: unknownFormat"),
    ("derived/malformed/format_ffff.mid", "repaired 1469 722 254185: unknownFormat"),
    ("derived/malformed/format0_with_5_tracks.mid", "repaired 1469 722 254185: formatZeroTracks"),
    ("derived/malformed/ntracks_too_many.mid", "repaired 1469 722 254185: trackCount"),
    ("derived/malformed/ntracks_too_few.mid", "repaired 1469 722 254185: trackCount"),
    ("derived/malformed/ntracks_zero.mid", "repaired 1469 722 254185: trackCount"),
    ("derived/malformed/division_0.mid", "repaired 1469 722 254185: divisionZero"),
    ("derived/malformed/division_smpte_fps_27.mid", "repaired 1469 722 254185: frameRate"),
    ("derived/malformed/division_smpte_tpf_0.mid", "repaired 1469 722 254185: ticksPerFrame"),
    ("derived/malformed/division_8000.mid", "repaired 1469 722 254185: frameRate, ticksPerFrame"),
    ("derived/malformed/track_len_plus_4.mid", "repaired 1469 722 254185: trackLength 1"),
    ("derived/malformed/track_len_minus_4.mid", "repaired 1469 722 254185: trackLength 1"),
    ("derived/malformed/track_len_zero_but_data.mid", "repaired 1469 722 254185: trackLength 1"),
    ("derived/malformed/track_len_ffffffff.mid", "repaired 1469 722 254185: trackLength 1"),
    ("derived/malformed/track_id_mtrk_lowercase.mid", "repaired 1469 722 254185: chunkName 1"),
    ("derived/malformed/no_end_of_track.mid", "repaired 1468 722 254185: missingEndOfTrack 1"),
    ("derived/malformed/eot_in_middle.mid", "repaired 1283 629 254185: bytesAfterEndOfTrack 1"),
    ("derived/malformed/two_eots.mid", "repaired 1469 722 254185: bytesAfterEndOfTrack 1"),
    ("derived/malformed/eot_len_1.mid", "repaired 1469 722 254185: endOfTrackLength 1"),
    ("derived/malformed/running_status_at_start.mid", "repaired 1469 722 254185: missingStatus 1"),
    (
      "derived/malformed/running_status_after_meta.mid",
      "repaired 1101 540 254185: runningStatusAcrossMeta 1"
    ),
    (
      "derived/malformed/running_status_after_sysex.mid",
      "repaired 1101 540 254185: runningStatusAcrossMeta 1"
    ),
    ("derived/malformed/system_status_f2_in_track.mid", "repaired 1100 540 254185: systemStatus 1"),
    ("derived/malformed/system_status_f8_in_track.mid", "repaired 1100 540 254185: systemStatus 1"),
    ("derived/malformed/system_status_fe_in_track.mid", "repaired 1100 540 254185: systemStatus 1"),
    ("derived/malformed/data_byte_note_ge_80.mid", "repaired 1100 540 254185: dataByte 1"),
    ("derived/malformed/data_byte_velocity_ge_80.mid", "repaired 1100 540 254185: dataByte 1"),
    ("derived/malformed/data_byte_cc_ge_80.mid", "repaired 1100 539 254185: dataByte 1"),
    ("derived/malformed/data_byte_program_ge_80.mid", "repaired 1100 539 254185: dataByte 1"),
    ("derived/malformed/vlq_delta_5_bytes.mid", "repaired 1100 540 268435472: longQuantity 1"),
    ("derived/malformed/vlq_endless.mid", "repaired 1097 539 254185: endlessQuantity 1"),
    ("derived/malformed/meta_len_bomb.mid", "repaired 1097 539 254185: truncatedPayload 1"),
    ("derived/malformed/sysex_len_bomb.mid", "repaired 1097 539 254185: truncatedPayload 1"),
    ("derived/malformed/tempo_len_2.mid", "repaired 1469 722 254185: tempoLength 1"),
    ("derived/malformed/tempo_len_4.mid", "repaired 1469 722 254185: tempoLength 1"),
    ("derived/malformed/tempo_zero.mid", "repaired 1469 722 254185: tempoZero 1"),
    ("derived/malformed/timesig_len_2.mid", "repaired 1469 722 254185: timeSignature 1"),
    ("derived/malformed/timesig_num_0.mid", "repaired 1469 722 254185: timeSignature 1"),
    ("derived/malformed/timesig_denominator_2pow255.mid", "clean 1470 722 254185:"),
    ("derived/malformed/keysig_sf_16.mid", "repaired 1469 722 254185: keySignature 1"),
    ("derived/malformed/keysig_mode_5.mid", "repaired 1469 722 254185: keySignature 1"),
    ("derived/malformed/keysig_len_1.mid", "repaired 1469 722 254185: keySignature 1"),
    ("derived/malformed/meta_type_ge_80.mid", "repaired 1469 722 254185: metaType 1"),
    ("derived/malformed/unterminated_sysex_at_eot.mid", "clean 1470 722 254185:"),
    ("derived/malformed/trailing_garbage_7.mid", "repaired 1469 722 254185: trailingBytes"),
    ("derived/malformed/trailing_garbage_4k.mid", "repaired 1469 722 254185: trailingBytes"),
    (
      "derived/malformed/bitflip_00.mid",
      "repaired 1471 720 24414443: dataByte 1, dataByte 3 x2, dataByte 4"
    ),
    (
      "derived/malformed/bitflip_01.mid",
      "repaired 1473 718 254185: dataByte 1 x3, dataByte 2 x2, dataByte 3 x5"
    ),
    (
      "derived/malformed/bitflip_02.mid",
      "repaired 1472 714 1070115: dataByte 1, dataByte 2 x3, dataByte 3 x2, dataByte 4 x4"
    ),
    (
      "derived/malformed/bitflip_03.mid",
      "repaired 1470 722 8062665: dataByte 1 x2, dataByte 2 x3, systemStatus 3, dataByte 3 "
        + "x2, dataByte 4"
    ),
    (
      "derived/malformed/bitflip_04.mid",
      "repaired 1470 724 7556285: dataByte 1 x2, dataByte 3 x3, dataByte 4"
    ),
    (
      "derived/malformed/bitflip_05.mid",
      "repaired 1100 545 254185: trackCount, dataByte 1 x5, dataByte 2, dataByte 3 x4"
    ),
    (
      "derived/malformed/bitflip_06.mid",
      "repaired 1471 723 7179807: dataByte 1 x3, dataByte 2 x2, dataByte 3 x4"
    ),
    (
      "derived/malformed/bitflip_07.mid",
      "repaired 1472 724 8341128: dataByte 1 x4, dataByte 2 x2, dataByte 3 x5"
    ),
  ]
}
