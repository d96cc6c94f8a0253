// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing
