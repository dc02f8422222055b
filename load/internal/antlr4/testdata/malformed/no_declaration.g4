a : 'x' ; // ERROR 1: the file declares no grammar; begin it with grammar NAME;
